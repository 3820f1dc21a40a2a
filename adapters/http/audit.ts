import Type from "typebox";
import { type Audit, AuditQuery } from "../../core/audit/audit.ts";
import { Failure } from "../../core/failure.ts";
import { pageOf } from "../../core/page.ts";
import { AuditEntryAnswer } from "./answers.ts";
import { listHeaders } from "./links.ts";
import { ok, type Route, route } from "./route.ts";

/** The route of the audit log. */
export const auditRoutes = (audit: Audit): Route[] => [
  route({
    operation: "audit.list",
    method: "GET",
    path: "/api/audit",
    summary: "List changes to keys and users",
    description: "Newest first. Super-admins see all, bound callers their dealer's, others what their own key did.",
    query: AuditQuery,
    answer: { status: 200, schema: Type.Array(AuditEntryAnswer), description: "The entries" },
    traits: ["list"],
    async handle({ principal, query, search, path }) {
      const listing = await audit.list(principal, query);
      return listing instanceof Failure
        ? listing
        : ok(listing.items, { headers: listHeaders(path(), search, pageOf(query), listing.total) });
    },
  }),
];
