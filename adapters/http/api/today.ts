import Type from "typebox";
import { RULES, type Rule } from "../../../core/channels/issue.ts";
import { CHANNEL_NAMES } from "../../../core/channels/titles.ts";
import type { LeftOutReason } from "../../../core/feeds/feed-repository.ts";
import { id } from "../../../core/schema.ts";
import { TODO_KINDS, type Todo, type TodoReason } from "../../../core/today/do-next.ts";
import {
  type CrossedVehicle,
  type DealersToday,
  type LeftOut,
  type ListedAgeGroup,
  MOST_REPRICED,
  MOST_SOLD,
  MOST_VISITED,
  type Today,
} from "../../../core/today/today.ts";
import { STATUSES } from "../../../core/vehicles/fields.ts";
import { type Route, route } from "../protocol/route.ts";
import { count, dateTime, type FieldsOf, nullable, recordId, recordSchema } from "./answers.ts";
import { VariantsAnswer } from "./image-answer.ts";

const LARGE = `\`null\` if more than ${MOST_VISITED} vehicles are on the lot.`;
const days = Type.Integer({ minimum: 0, description: "Whole days of 24 hours on the lot." });
const text = Type.String();

const group = {
  from: days,
  to: nullable(days),
  count,
  value: Type.Number({ description: "The sum of the prices." }),
  filter: recordSchema("AgeFilter", {
    dealer_id: id(),
    status: Type.Array(Type.Unsafe<"available" | "pending">({ type: "string", enum: [...STATUSES] })),
    min_days_on_lot: days,
    max_days_on_lot: Type.Optional(days),
  }),
} satisfies FieldsOf<ListedAgeGroup>;

const leftOutReason = {
  rule: Type.String({ enum: Object.keys(RULES) as Rule[] }),
  field: nullable(Type.String({ description: "The field that the rule is about." })),
  count: Type.Integer({ minimum: 1, description: "The number of vehicles that it keeps out." }),
} satisfies FieldsOf<LeftOutReason>;

const leftOut = {
  feed_id: id(),
  name: text,
  channel: Type.String({ enum: [...CHANNEL_NAMES] }),
  rows: count,
  left_out: count,
  reason: nullable(recordSchema("LeftOutReason", leftOutReason)),
} satisfies FieldsOf<LeftOut>;

const crossed = {
  id: id(),
  title: nullable(text),
  year: Type.Integer(),
  make: text,
  model: text,
  stock_number: nullable(text),
  image_url: nullable(Type.String({ description: "The address of its primary image, or else of its first one." })),
  variants: nullable(VariantsAnswer),
  price: Type.Number(),
  days_on_lot: days,
  line: Type.Integer({ description: "The days that it crossed: 45, 60 or 90." }),
  updated_at: dateTime,
} satisfies FieldsOf<CrossedVehicle>;

const todo = {
  kind: Type.String({
    enum: [...TODO_KINDS],
    description: `\`left_out\`: vehicles that are not in the file of a feed. \`failed_rows\`: rows of the last import. \`no_sale_price\`: vehicles sold in the last 30 days without a sale price, of the ${MOST_SOLD} that were sold last. \`price_differs\`: vehicles whose price is not that of any file, of the ${MOST_REPRICED} on the lot whose prices were changed last. \`refused_key\`: requests of a key in the last 24 hours.`,
  }),
  count: Type.Integer({ minimum: 1, description: "The number of these vehicles, rows or requests." }),
  of: nullable(Type.Integer({ minimum: 1, description: "The number of all vehicles, rows or requests." })),
  id: nullable(id({ description: "The feed, import or key." })),
  name: nullable(Type.String({ description: "The name of the feed or key." })),
  code: nullable(
    Type.String({ description: "The channel of the feed, or the code with which the key is refused most." }),
  ),
  reason: nullable(
    recordSchema("TodoReason", {
      ...leftOutReason,
      message: Type.String({ description: "What is wrong." }),
      fix: Type.String({ description: "What to do about it." }),
    } satisfies FieldsOf<TodoReason>),
  ),
  vehicle_ids: Type.Array(id(), { description: "Up to eight of the vehicles, the last sold or changed first." }),
  file_prices: Type.Array(Type.Number(), {
    description: "For `price_differs`, what the last file said of each of these vehicles.",
  }),
} satisfies FieldsOf<Todo>;

const TodayAnswer = recordSchema("Today", {
  dealer_id: id(),
  on_lot: recordSchema("OnLot", { count, value: Type.Number({ description: "The sum of the prices." }) }),
  average_age: recordSchema("AverageAge", {
    now: days,
    week_ago: Type.Integer({ minimum: 0 }),
  }),
  sold: recordSchema("SoldByThisDay", {
    this_month: count,
    last_month: Type.Integer({ minimum: 0, description: "From the first of last month to the same day of it." }),
  }),
  without_images: nullable(Type.Integer({ minimum: 0, description: `Vehicles on the lot without images. ${LARGE}` })),
  left_out: nullable(
    Type.Array(recordSchema("LeftOut", leftOut), {
      description:
        "The active feeds of this dealer alone, as their channels last fetched them, those that leave out most first. `reason` is the rule that keeps most vehicles out. `null` without the permission `feeds:read`.",
    }),
  ),
  ages: Type.Array(recordSchema("ListedAgeGroup", group), {
    description:
      "The vehicles on the lot by days: 0–30, 31–60, 61–90, and more. `filter` has the parameters of `GET /api/vehicles` that list them.",
  }),
  crossed: recordSchema("Crossed", {
    total: count,
    vehicles: Type.Array(recordSchema("CrossedVehicle", crossed), {
      description: "Up to eight vehicles that reached 45, 60 or 90 days in the last three days, the oldest first.",
    }),
  }),
  do_next: Type.Array(recordSchema("Todo", todo), {
    maxItems: 5,
    description:
      "What to do next, in the order of the kinds. What the caller may not see is not in it: feeds need `feeds:read`, imports, sales and corrections `vehicles:write`, keys `keys:read`.",
  }),
  months: Type.Array(
    recordSchema("MonthOfToday", { month: Type.String({ examples: ["2026-03"] }), added: count, sold: count }),
    {
      description: "The last twelve months up to today, the earliest first.",
    },
  ),
  timestamp: dateTime,
} satisfies FieldsOf<Today>);

/** The route of a dealer's first page (interface 6.3). */
export const todayRoutes = (today: DealersToday): Route[] => [
  route({
    operation: "dealer.today",
    name: "getDealerToday",
    method: "GET",
    path: "/api/dealers/:id/today",
    summary: "Read what a dealer looks at in the morning",
    description: "The lot, what became of it, and what to do next, in one answer. Days and months are in UTC.",
    params: Type.Object({ id: recordId("dealer") }),
    answer: { status: 200, schema: TodayAnswer, description: "The lot today" },
    errors: ["not_found", "not_your_dealer"],
    answers: "record",
    of: ({ principal, params }) => today.ofDealer(principal, params.id),
  }),
];
