import Type from "typebox";
import type { Clock } from "../../../core/clock.ts";
import { Failure } from "../../../core/failure.ts";
import { mapped } from "../../../core/long-items.ts";
import { pageOf } from "../../../core/page.ts";
import type { Removed, RemovedListing } from "../../../core/removed/removed.ts";
import { RemovedQuery, type RemovedVehicle } from "../../../core/removed/removed-vehicle.ts";
import { id } from "../../../core/schema.ts";
import { listHeaders } from "../protocol/links.ts";
import { LongBody } from "../protocol/long-body.ts";
import { pathOf } from "../protocol/request-path.ts";
import { JsonText, ok, type Route, route } from "../protocol/route.ts";
import { count, DoneAnswer, dateTime, type FieldsOf, nullable, recordId, recordSchema } from "./answers.ts";
import { VehicleAnswer } from "./vehicles.ts";

const RemovedAnswer = recordSchema("RemovedVehicle", {
  ...VehicleAnswer.properties,
  removed_at: dateTime,
  removed_by: Type.Object(
    {
      type: Type.String({ description: "The same as for the actor of an audit entry." }),
      id: nullable(id()),
      name: Type.String(),
    },
    { title: "RemovedBy", additionalProperties: false },
  ),
  restorable_until: dateTime,
  picture: nullable(
    Type.String({
      description:
        "The address of its primary image, or the `placeholder` of a photo, which is not delivered while the vehicle is removed.",
    }),
  ),
} satisfies FieldsOf<RemovedVehicle>);

const RemovedListAnswer = recordSchema("RemovedVehiclePage", {
  meta: Type.Object(
    {
      total: count,
      filter_applied: Type.Boolean({ description: "True if the result was limited to the key's dealer." }),
      dealer_id: Type.Optional(id({ description: "Present if the result is limited to one dealer." })),
      timestamp: dateTime,
    },
    { title: "RemovedVehiclePageMeta" },
  ),
  vehicles: Type.Array(RemovedAnswer),
});

const bodyOf = (meta: object, { items, long }: RemovedListing): object =>
  long === undefined
    ? { meta, vehicles: items }
    : new LongBody(mapped(long, (vehicle) => JSON.stringify(vehicle)).slices, {
        start: `{"meta":${JSON.stringify(meta)},"vehicles":[`,
        end: "]}",
        separator: ",",
      });

/** Routes of removed vehicles (interface 6.1). */
export const removedRoutes = (removed: Removed, clock: Clock): Route[] => [
  route({
    operation: "vehicle.removed",
    name: "listRemovedVehicles",
    method: "GET",
    path: "/api/vehicles/removed",
    summary: "List removed vehicles",
    description:
      "The vehicles that can be restored, the last removed first. A key that is bound to a dealer sees only that dealer's vehicles.",
    query: RemovedQuery,
    answer: { status: 200, schema: RemovedListAnswer, description: "A page of removed vehicles" },
    traits: ["list"],
    errors: [],
    async handle({ principal, query, search, url }) {
      const page = await removed.list(principal, query);
      if (page instanceof Failure) return page;
      const { total, filterApplied, dealerId } = page;
      const meta = {
        total,
        filter_applied: filterApplied,
        ...(dealerId !== null && { dealer_id: dealerId }),
        timestamp: clock.now(),
      };
      return ok(bodyOf(meta, page), {
        headers: listHeaders({ path: pathOf(url), search, page: pageOf(query), total }),
      });
    },
  }),
  route({
    operation: "vehicle.restore",
    name: "restoreVehicle",
    method: "POST",
    path: "/api/vehicles/removed/:id/restore",
    summary: "Restore a removed vehicle",
    description: "Restores the vehicle with its id, fields, images and history, within 30 days of its removal.",
    params: Type.Object({ id: recordId("removed vehicle", 3) }),
    answer: { status: 200, schema: VehicleAnswer, description: "The vehicle" },
    traits: ["versioned"],
    errors: ["not_found", "not_restorable", "duplicate_vehicle"],
    async handle({ principal, params }) {
      const vehicle = await removed.restore(principal, params.id);
      return vehicle instanceof Failure ? vehicle : ok(new JsonText(vehicle.text), { version: vehicle });
    },
  }),
  route({
    operation: "vehicle.purge",
    name: "purgeVehicle",
    method: "DELETE",
    path: "/api/vehicles/removed/:id",
    summary: "Remove a removed vehicle for good",
    // It has a different number in its example, because the documented requests are made one after another.
    params: Type.Object({ id: recordId("removed vehicle", 4) }),
    answer: { status: 200, schema: DoneAnswer, description: "Removed for good" },
    errors: ["not_found"],
    answers: "done",
    of: ({ principal, params }) => removed.purge(principal, params.id),
    says: ({ id }) => `Vehicle ${id} removed for good`,
  }),
];
