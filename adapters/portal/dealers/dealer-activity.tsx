import { useAuditEntries } from "../audit/audit-entries.ts";
import { EntryList } from "../audit/entry-list.tsx";
import { EmptyState } from "../lists/record-list.tsx";

const PAGE_SIZE = 25;

/** The audit entries of a dealer's records. */
export const DealerActivity = ({ dealerId }: { dealerId: number }) => (
  <section className="card" aria-label="Activity">
    <EntryList
      entries={useAuditEntries({ dealer_id: dealerId }, PAGE_SIZE)}
      empty={<EmptyState title="No activity">Nothing of this dealer was changed yet.</EmptyState>}
    />
  </section>
);
