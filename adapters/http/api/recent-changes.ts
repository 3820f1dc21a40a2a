import Type from "typebox";
import { changeId } from "../../../core/changes/change-id.ts";
import { CHANGE_KINDS } from "../../../core/changes/named-change.ts";
import { Failure } from "../../../core/failure.ts";
import { type RecentChange, RecentChangesQuery, RevertQuery } from "../../../core/recent-changes/recent-change.ts";
import type { RecentChanges, RevertAnswer } from "../../../core/recent-changes/recent-changes.ts";
import { REVERSAL_OUTCOMES } from "../../../core/recent-changes/reversal.ts";
import { id, oneOf } from "../../../core/schema.ts";
import { cursorPage } from "../protocol/cursor-page.ts";
import type { ListCursors } from "../protocol/list-cursors.ts";
import { type Route, route } from "../protocol/route.ts";
import { CHANGE_ID, count, cursorMeta, dateTime, type FieldsOf, nullable, recordSchema } from "./answers.ts";
import { actorAnswer } from "./audit.ts";

const ChangeAnswer = recordSchema("RecentChange", {
  id: Type.String(),
  kind: oneOf(CHANGE_KINDS, { description: "`edit` is a change of one vehicle in the portal." }),
  at: dateTime,
  by: actorAnswer,
  vehicles: count,
  vehicle_id: nullable(id({ description: "The vehicle, if it is only one." })),
  fields: Type.Array(Type.String(), { description: "The names of the changed fields." }),
  revertible: Type.Boolean({ description: "False for creations, removals, moves and reversals." }),
  reverts: nullable(Type.String({ description: "The change that this one reverted." })),
  reverted_at: nullable(dateTime),
} satisfies FieldsOf<RecentChange>);

const ListAnswer = recordSchema("RecentChangePage", {
  data: Type.Array(ChangeAnswer, { description: "Newest first." }),
  meta: cursorMeta,
});

const RevertResults = recordSchema("RevertResults", {
  change_id: nullable(CHANGE_ID),
  reverts: Type.String(),
  total: count,
  results: Type.Array(
    recordSchema("RevertResult", {
      id: id(),
      outcome: oneOf(REVERSAL_OUTCOMES),
      fields: Type.Array(Type.String(), { description: "The fields that got their old values." }),
      name: Type.Optional(
        nullable(
          Type.String({
            description: "With `include=names`: what the vehicle is called, such as `2024 Toyota Camry`.",
          }),
        ),
      ),
      stock_number: Type.Optional(nullable(Type.String({ description: "With `include=names`." }))),
    } satisfies FieldsOf<RevertAnswer["results"][number]>),
  ),
  next: nullable(
    id({ description: "Send it as `after` if there are more vehicles than one request reverts. Otherwise `null`." }),
  ),
} satisfies FieldsOf<RevertAnswer>);

/** The moment and the id of the last change of a page, in one text. */
const SEPARATOR = " ";

/** Routes of recent changes (interface 6.1). */
export const recentChangeRoutes = (changes: RecentChanges, cursors: ListCursors): Route[] => [
  route({
    operation: "vehicle.recent-changes",
    name: "listRecentChanges",
    method: "GET",
    path: "/api/recent-changes",
    summary: "List the changes of the last 30 days",
    description:
      "Bulk changes, imports, batches and changes in the portal, newest first. A key that is bound to a dealer sees only changes of that dealer's vehicles, and counts only those.",
    query: RecentChangesQuery,
    answer: { status: 200, schema: ListAnswer, description: "A page of changes" },
    traits: ["list"],
    errors: [],
    async handle({ principal, query, search, url }) {
      const read = { principal, list: "recent changes", search };
      const from = cursors.positionOf(read, query.cursor);
      if (from instanceof Failure) return from;
      const [at = "", changed = ""] = String(from?.value ?? "").split(SEPARATOR);
      const page = await changes.list(principal, query, from && { at, id: changed });
      if (page instanceof Failure) return page;
      const { changes: items, total, last } = page;
      const cursor = last && cursors.after(read, { value: `${last.at}${SEPARATOR}${last.id}`, id: 1 });
      return cursorPage({ url, search, query }, { items, total, cursor });
    },
  }),
  route({
    operation: "vehicle.revert",
    name: "revertChange",
    method: "POST",
    path: "/api/recent-changes/:id/revert",
    summary: "Revert a change",
    description:
      "Of each vehicle, the fields that are still as the change left them, and that nobody changed since, get their old values; the others stay as they are (`changed_since`). The change and its reversal stay in the audit log and in the history, and count in no previous price, price drop, discount or report. A second reversal changes nothing.",
    params: Type.Object({ id: changeId("The `id` of the change, which is its `change_id` elsewhere.") }),
    query: RevertQuery,
    answer: { status: 200, schema: RevertResults, description: "The result for each vehicle" },
    errors: ["not_found", "not_revertible"],
    answers: "record",
    of: ({ principal, params, query, mayGoOn }) => changes.revert(principal, { id: params.id, query, mayGoOn }),
  }),
];
