import { useAuditEntries } from "../audit/audit-entries.ts";
import { EntryList } from "../audit/entry-list.tsx";
import { useKeyList } from "../keys/key-list.tsx";
import { Listing } from "../lists/listing.tsx";
import { EmptyState } from "../lists/record-list.tsx";
import { PageLink } from "../page/link.tsx";
import { useMay } from "../session/session.tsx";
import { useUserList } from "../users/user-list.tsx";

/** The users of a dealer. */
export const DealerUsers = ({ dealerId }: { dealerId: number }) => {
  const users = useUserList(dealerId);
  return (
    <Listing
      {...users}
      caption="Users"
      empty={
        users.list.isFiltered ? (
          <EmptyState title="No user matches">Search for something else, or clear the filters.</EmptyState>
        ) : (
          <EmptyState title="No users yet">Nobody belongs to this dealer.</EmptyState>
        )
      }
    />
  );
};

/** The keys of a dealer. */
export const DealerKeys = ({ dealerId }: { dealerId: number }) => {
  const may = useMay();
  const keys = useKeyList(dealerId);
  return (
    <Listing
      {...keys}
      caption="Keys"
      empty={
        keys.list.isFiltered ? (
          <EmptyState title="No key matches">Search for something else, or clear the filters.</EmptyState>
        ) : (
          <EmptyState title="No keys yet">
            {may("keys:write") ? (
              <PageLink to={`/keys/new?dealer_id=${dealerId}`}>Create its first key</PageLink>
            ) : (
              "No key is bound to this dealer."
            )}
          </EmptyState>
        )
      }
    />
  );
};

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
