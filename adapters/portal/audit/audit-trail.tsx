import { lazyPage } from "../page/lazy-page.tsx";
import { Section } from "../page/section.tsx";

// The words of all actions are no part of a page's first load: the trail stands at its end.
const TrailEntries = lazyPage(() => import("./trail-entries.tsx").then((room) => room.TrailEntries));

/** The audit entries of one record. */
export const AuditTrail = (record: { resource: string; id: number }) => (
  <Section title="Audit trail">
    <TrailEntries {...record} />
  </Section>
);
