import Type from "typebox";
import { CHANNELS } from "../../../core/access/principal.ts";
import { AUDITED_RESOURCES } from "../../../core/audit/actions.ts";
import { AUDIT_ACTIONS, type Audit, AuditQuery } from "../../../core/audit/audit.ts";
import type { AuditEntry } from "../../../core/audit/audit-entry.ts";
import { Failure } from "../../../core/failure.ts";
import type { Names } from "../../../core/names/names.ts";
import { pageOf } from "../../../core/page.ts";
import { id, oneOf } from "../../../core/schema.ts";
import { listHeaders } from "../protocol/links.ts";
import type { ListCursors } from "../protocol/list-cursors.ts";
import { arrayBody } from "../protocol/long-json.ts";
import { pathOf } from "../protocol/request-path.ts";
import { ok, type Route, route } from "../protocol/route.ts";
import { dateTime, type FieldsOf, named, namesBeside, orNull } from "./answers.ts";

const fields = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

const AuditEntryAnswer = named("AuditEntry", {
  id: id(),
  at: dateTime,
  actor: Type.Object(
    {
      type: oneOf(["key", "user", "command", "service", "operator"]),
      id: orNull(id()),
      name: Type.String({
        description: "What the key or user was called then. To a dealer, who acted from outside it is `Operator`.",
      }),
    },
    { title: "AuditActor" },
  ),
  via: oneOf(CHANNELS),
  action: oneOf(AUDIT_ACTIONS),
  resource: orNull(oneOf(AUDITED_RESOURCES)),
  resource_id: orNull(id()),
  record_name: orNull(
    Type.String({
      description: "What the record was called then, such as `2024 Toyota Camry`; of an image, its vehicle.",
    }),
  ),
  dealer_id: orNull(
    id({ description: "Whose record it was. A dealer reads of a record that left it, or came to it, as its own." }),
  ),
  before: orNull(fields("The changed fields as they were; the whole record where it was removed.")),
  after: orNull(fields("The changed fields as they became; the whole record where it was created.")),
  address: orNull(Type.String({ description: "The client's address." })),
  request_id: orNull(Type.String()),
  ...namesBeside("dealer_id"),
} satisfies FieldsOf<AuditEntry>);

const LIST = "audit";

/** The route of the audit log. */
export const auditRoutes = (audit: Audit, names: Names, cursors: ListCursors): Route[] => [
  route({
    operation: "audit.list",
    name: "listAuditEntries",
    method: "GET",
    path: "/api/audit",
    summary: "List changes and denials",
    description:
      "Newest first; the `Link` to the next page has a cursor. Super-admins see all, bound callers their dealer's, other users what they and their keys did. To a dealer, who acted from outside it is an `operator`, and of a record that went to or came from another dealer only this side of the change is told.",
    query: AuditQuery,
    answer: { status: 200, schema: Type.Array(AuditEntryAnswer), description: "The entries" },
    traits: ["list"],
    errors: [],
    async handle({ principal, query, search, url }) {
      const read = { principal, list: LIST, search };
      const from = cursors.positionOf(read, query.cursor);
      if (from instanceof Failure) return from;
      const listing = await audit.list(principal, query, from && { id: from.id, at: from.created_at });
      if (listing instanceof Failure) return listing;
      const page = pageOf(query);
      const { last } = listing;
      const next = last === null ? null : cursors.after(read, { id: last.id, created_at: last.at });
      const shown = query.include === undefined ? listing : await names.addToListing(principal, listing);
      return ok(arrayBody(shown), {
        headers: listHeaders({
          path: pathOf(url),
          search,
          page,
          total: listing.total,
          more: last !== null,
          cursor: next,
        }),
      });
    },
  }),
];
