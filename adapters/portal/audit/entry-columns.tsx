import type { AuditEntry } from "../../../core/audit/audit-entry.ts";
import type { Column } from "../lists/record-table.tsx";
import { Moment } from "../moments/moment.tsx";
import { PageLink } from "../shell/link.tsx";
import { actionInWords, pageOfRecord } from "./audit-words.ts";
import { Changes } from "./changes.tsx";

const Actor = ({ actor }: Pick<AuditEntry, "actor">) => {
  const page = pageOfRecord(`${actor.type}s`, actor.id);
  return page === null ? actor.name : <PageLink to={page}>{actor.name}</PageLink>;
};

const Record = ({ resource, resource_id }: AuditEntry) => {
  const page = pageOfRecord(resource, resource_id);
  const name = resource_id === null ? (resource ?? "None") : `${resource} ${resource_id}`;
  return page === null ? name : <PageLink to={page}>{name}</PageLink>;
};

/** Columns of the audit log; without the record where all entries are about the same one. */
export const entryColumns = (withRecord: boolean): readonly Column<AuditEntry>[] => [
  { head: "When", cell: ({ at }) => <Moment at={at} /> },
  { head: "Who", cell: (entry) => <Actor actor={entry.actor} /> },
  { head: "What", cell: ({ action }) => actionInWords(action) },
  ...(withRecord ? [{ head: "Record", cell: (entry: AuditEntry) => <Record {...entry} /> }] : []),
  { head: "Changed", cell: (entry) => <Changes entry={entry} /> },
  { head: "By way of", cell: ({ via, address }) => (address === null ? via : `${via}, ${address}`) },
];
