import Type from "typebox";
import { PriceChange } from "../../../core/bulk/price-change.ts";
import {
  DROP_REASONS,
  NewSchedule,
  SCHEDULE_READ_ONLY,
  SCHEDULE_REASONS,
  SCHEDULE_STATES,
  SCHEDULED_OUTCOMES,
  type Schedule,
  type ScheduledFields,
  type ScheduledVehicle,
  ScheduleQuery,
  type ScheduleWithVehicles,
} from "../../../core/scheduled-changes/schedule.ts";
import type { ScheduledChanges } from "../../../core/scheduled-changes/scheduled-changes.ts";
import { id, oneOf } from "../../../core/schema.ts";
import { STATUSES } from "../../../core/vehicles/fields.ts";
import { cursorList } from "../protocol/cursor-page.ts";
import type { ListCursors } from "../protocol/list-cursors.ts";
import { type Route, route } from "../protocol/route.ts";
import {
  CHANGE_ID,
  count,
  cursorMeta,
  DoneAnswer,
  dateTime,
  type FieldsOf,
  nullable,
  recordId,
  recordSchema,
} from "./answers.ts";

const record = {
  id: id(),
  dealer_id: id(),
  at: dateTime,
  changes: recordSchema("ScheduledValues", {
    price: Type.Optional(Type.Union([Type.Number(), ...PriceChange.anyOf])),
    status: Type.Optional(oneOf(STATUSES)),
  } satisfies FieldsOf<ScheduledFields>),
  state: oneOf(SCHEDULE_STATES, {
    description: "`dropped` if no vehicle was left to change. `done` if any of them is as it was to be.",
  }),
  reason: nullable(
    oneOf(SCHEDULE_REASONS, {
      description:
        "Why the whole of the rest was dropped: whoever scheduled it may not change the vehicles any more, or the service failed several times.",
    }),
  ),
  total: Type.Integer({ minimum: 1, description: "The number of its vehicles." }),
  updated: count,
  unchanged: count,
  dropped: count,
  vehicle_id: nullable(id({ description: "The vehicle, if it is only one." })),
  name: Type.String({ description: "What its vehicles are called, such as `2024 Toyota Camry` or `12 vehicles`." }),
  change_id: nullable(CHANGE_ID),
  created_at: dateTime,
  updated_at: dateTime,
  finished_at: nullable(dateTime),
} satisfies FieldsOf<Schedule>;

const ScheduleAnswer = recordSchema("ScheduledChange", record);

const WithVehicles = recordSchema("ScheduledChangeWithVehicles", {
  ...record,
  vehicles: Type.Array(
    recordSchema("ScheduledVehicle", {
      id: id(),
      outcome: oneOf(SCHEDULED_OUTCOMES),
      reason: nullable(
        oneOf(DROP_REASONS, {
          description:
            "Why it was dropped: the vehicle changed meanwhile, is not the dealer's any more, or cannot have these values; or the whole of the rest was dropped.",
        }),
      ),
      message: nullable(Type.String({ description: "The reason in words." })),
    } satisfies FieldsOf<ScheduledVehicle>),
    { description: "In the order of their ids." },
  ),
} satisfies FieldsOf<ScheduleWithVehicles>);

const params = Type.Object({ id: recordId("scheduled change") });

/** The routes of scheduled changes. */
export const scheduledChangeRoutes = (schedules: ScheduledChanges, cursors: ListCursors): Route[] => [
  route({
    operation: "schedule.list",
    name: "listScheduledChanges",
    method: "GET",
    path: "/api/scheduled-changes",
    summary: "List scheduled changes",
    description:
      "Newest first. A key that is bound to a dealer sees only that dealer's. What has ended is kept for 30 days, and the last 200 of a dealer.",
    query: ScheduleQuery,
    answer: {
      status: 200,
      schema: Type.Object({ data: Type.Array(ScheduleAnswer), meta: cursorMeta }, { title: "ScheduledChangePage" }),
      description: "A page of scheduled changes",
    },
    traits: ["list"],
    errors: [],
    handle: cursorList({
      cursors,
      list: "scheduled-changes",
      page: ({ principal, query }, after) => schedules.list(principal, query, after),
    }),
  }),
  route({
    operation: "schedule.create",
    name: "createScheduledChange",
    method: "POST",
    path: "/api/scheduled-changes",
    summary: "Schedule a change of prices or statuses",
    description:
      "At that time the vehicles are changed in the name of the caller, each as by a PUT. It is dropped for a vehicle that was changed, removed or moved meanwhile, and wholly if the caller may not change the vehicles any more. A dealer has up to 100 that are not made yet.",
    body: {
      name: "NewScheduledChange",
      schema: NewSchedule,
      readOnly: SCHEDULE_READ_ONLY,
      example: { vehicle_id: 1, at: "2027-01-08T14:00:00Z", changes: { price: 24990 } },
    },
    answer: { status: 201, schema: WithVehicles, description: "The scheduled change" },
    errors: ["not_found", "quota_exceeded"],
    answers: "created",
    of: ({ principal, body }) => schedules.create(principal, body),
  }),
  route({
    operation: "schedule.read",
    name: "getScheduledChange",
    method: "GET",
    path: "/api/scheduled-changes/:id",
    summary: "Read a scheduled change",
    description: "With its vehicles and what became of each.",
    params,
    answer: { status: 200, schema: WithVehicles, description: "The scheduled change" },
    errors: ["not_found"],
    answers: "record",
    of: ({ principal, params }) => schedules.get(principal, params.id),
  }),
  route({
    operation: "schedule.cancel",
    name: "cancelScheduledChange",
    method: "DELETE",
    path: "/api/scheduled-changes/:id",
    summary: "Cancel a scheduled change",
    description: "Until it begins. It stays in the list as `cancelled`.",
    params,
    answer: { status: 200, schema: DoneAnswer, description: "Cancelled" },
    errors: ["not_found", "schedule_state"],
    answers: "done",
    of: ({ principal, params }) => schedules.cancel(principal, params.id),
    says: ({ id }) => `Scheduled change ${id} cancelled`,
  }),
];
