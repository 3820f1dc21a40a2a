import Type from "typebox";
import { VIA } from "../../../core/access/principal.ts";
import { AUDITED_RESOURCES } from "../../../core/audit/actions.ts";
import { AUDIT_ACTIONS, type Audit, AuditExportQuery, AuditQuery } from "../../../core/audit/audit.ts";
import type { AuditEntry } from "../../../core/audit/audit-entry.ts";
import { exportFile, safeFormOf } from "../../../core/export/export-file.ts";
import { Failure } from "../../../core/failure.ts";
import { mappedSlices } from "../../../core/long-items.ts";
import type { Names } from "../../../core/names/names.ts";
import { pageOf } from "../../../core/page.ts";
import { id, oneOf } from "../../../core/schema.ts";
import { cursorList } from "../protocol/cursor-page.ts";
import { listHeaders } from "../protocol/links.ts";
import type { ListCursors } from "../protocol/list-cursors.ts";
import { arrayBody } from "../protocol/long-body.ts";
import { pathOf } from "../protocol/request-path.ts";
import { ok, type Route, route } from "../protocol/route.ts";
import { dateTime, type FieldsOf, includedNames, nullable, recordSchema } from "./answers.ts";
import { EXPORT_TYPES, exportAnswer, RECORD_EXPORT_NOTE } from "./export-answer.ts";

const fields = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

/** The actor of an entry as it is answered. */
export const actorAnswer = Type.Object(
  {
    type: oneOf(["key", "user", "command", "service", "operator"]),
    id: nullable(id()),
    name: Type.String({
      description: "The name of the key or user at that time. Dealers see `Operator` for actors from outside.",
    }),
  },
  { title: "AuditActor" },
);

/** How a change reached the service. */
export const viaAnswer = oneOf(VIA);

const AuditEntryAnswer = recordSchema("AuditEntry", {
  id: id(),
  at: dateTime,
  actor: actorAnswer,
  via: viaAnswer,
  action: oneOf(AUDIT_ACTIONS),
  resource: nullable(oneOf(AUDITED_RESOURCES)),
  resource_id: nullable(id()),
  record_name: nullable(
    Type.String({
      description:
        "The name of the record at that time, such as `2024 Toyota Camry`. For an image, that of its vehicle.",
    }),
  ),
  dealer_id: nullable(
    id({
      description:
        "The dealer that the record belonged to. For records that left a dealer or came to it, the dealer sees its own id.",
    }),
  ),
  before: nullable(
    fields(
      "The changed fields as they were; the whole record where it was removed. Texts of more than 1000 characters are cut, and their length and SHA-256 follow.",
    ),
  ),
  after: nullable(
    fields("The changed fields as they became; the whole record where it was created. Long texts are cut, too."),
  ),
  address: nullable(Type.String({ description: "The client's address." })),
  request_id: nullable(Type.String()),
  import_id: nullable(id({ description: "The import that made the change." })),
  change_id: nullable(
    Type.String({ description: "The bulk change, import, batch or change in the portal that it is a part of." }),
  ),
  reverts: nullable(Type.String({ description: "The change that it reverted." })),
  ...includedNames("dealer_id"),
} satisfies FieldsOf<AuditEntry>);

const LIST = "audit";

/** The columns of an export, in their order, with the value for an entry. */
const EXPORT_COLUMNS: Readonly<Record<string, (entry: AuditEntry) => string | number | null>> = {
  id: ({ id }) => id,
  at: ({ at }) => at,
  actor_type: ({ actor }) => actor.type,
  actor_id: ({ actor }) => actor.id,
  actor_name: ({ actor }) => actor.name,
  via: ({ via }) => via,
  action: ({ action }) => action,
  resource: ({ resource }) => resource,
  resource_id: ({ resource_id }) => resource_id,
  record_name: ({ record_name }) => record_name,
  dealer_id: ({ dealer_id }) => dealer_id,
  before: ({ before }) => before && JSON.stringify(before),
  after: ({ after }) => after && JSON.stringify(after),
  address: ({ address }) => address,
  request_id: ({ request_id }) => request_id,
  import_id: ({ import_id }) => import_id,
  change_id: ({ change_id }) => change_id,
  reverts: ({ reverts }) => reverts,
};
const CELLS = Object.values(EXPORT_COLUMNS);

/** How an export writes an entry. */
const AUDIT_FILE = {
  columns: Object.keys(EXPORT_COLUMNS),
  cells: (entry: AuditEntry) => CELLS.map((cell) => cell(entry)),
  json: (entry: AuditEntry) => JSON.stringify(entry),
};

/** The routes of the audit log. */
export const auditRoutes = (audit: Audit, names: Names, cursors: ListCursors): Route[] => [
  route({
    operation: "audit.list",
    name: "listAuditEntries",
    method: "GET",
    path: "/api/audit",
    summary: "List changes and denied requests",
    description:
      "Newest first. The `Link` to the next page contains a cursor. Super-admins see all entries, bound callers those of their dealer, and other users those of their own actions and keys. Dealers see actors from outside as `operator`, and if a record moved to or from another dealer, they see only their side of the change.",
    query: AuditQuery,
    answer: { status: 200, schema: Type.Array(AuditEntryAnswer), description: "The entries" },
    traits: ["list"],
    errors: [],
    handle: cursorList({
      cursors,
      list: LIST,
      page: async ({ principal, query }, after) => {
        const listing = await audit.list(principal, query, after);
        return listing instanceof Failure ? listing : { ...listing, next: listing.last };
      },
      async answer({ principal, query, search, url }, listing, cursor) {
        const withNames = query.include === undefined ? listing : await names.addToListing(principal, listing);
        const { total, next } = listing;
        const paging = { path: pathOf(url), search, page: pageOf(query), total, more: next !== null, cursor };
        return ok(arrayBody(withNames), { headers: listHeaders(paging) });
      },
    }),
  }),
  route({
    operation: "audit.export",
    name: "exportAuditEntries",
    method: "GET",
    path: "/api/audit/export",
    summary: "Export changes and denied requests as a file",
    description: `${RECORD_EXPORT_NOTE} In tables, \`before\` and \`after\` are JSON.`,
    query: AuditExportQuery,
    answer: {
      status: 200,
      schema: Type.String(),
      description: "The entries, one on each line",
      file: {
        types: EXPORT_TYPES,
        isCounted: true,
        example: "id,at,action\n1,2026-11-20T09:11:00.000Z,key.revoked\n",
      },
    },
    errors: [],
    async handle({ principal, query }) {
      const exported = await audit.export(principal, query);
      if (exported instanceof Failure) return exported;
      const { total, entries } = exported;
      const file = exportFile(safeFormOf(query), AUDIT_FILE);
      return exportAnswer("audit", { ...file, total, lines: mappedSlices(entries, file.line) });
    },
  }),
];
