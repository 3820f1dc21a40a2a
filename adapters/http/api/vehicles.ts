import Type, { type TSchema } from "typebox";
import type { Clock } from "../../../core/clock.ts";
import type { InventoryVersions } from "../../../core/dealers/inventory-versions.ts";
import { Failure, type Outcome } from "../../../core/failure.ts";
import { imagesField } from "../../../core/images/image-list.ts";
import { IncludeInVehicle } from "../../../core/include.ts";
import { andThen } from "../../../core/maybe-promise.ts";
import { pageOf } from "../../../core/page.ts";
import { id } from "../../../core/schema.ts";
import { withFields } from "../../../core/stored-json.ts";
import { VEHICLE_FIELDS } from "../../../core/vehicles/fields.ts";
import type { AnsweredWord } from "../../../core/vehicles/understanding.ts";
import { MEANINGS } from "../../../core/vehicles/understood-words.ts";
import {
  NewVehicle,
  VEHICLE_READ_ONLY,
  type Vehicle,
  VehicleChanges,
  VehicleQuery,
} from "../../../core/vehicles/vehicle.ts";
import type { ChangedVehicle, Vehicles } from "../../../core/vehicles/vehicles.ts";
import { pathOf } from "../protocol/request-path.ts";
import { type Answer, created, JsonText, ok, type Route, route, type Version } from "../protocol/route.ts";
import {
  answerFields,
  bit,
  count,
  DoneAnswer,
  dateTime,
  type FieldsOf,
  includedNames,
  nullable,
  recordId,
  recordSchema,
  timestamps,
} from "./answers.ts";
import { ImageAnswer } from "./image-answer.ts";
import { pageBody, type VehiclePager } from "./vehicle-pager.ts";

/** The maximum number of members in the body of a vehicle, whose images may be sent as they were answered. */
const MAX_MEMBERS = 2500;

/** The path parameters of one vehicle. */
export const VehicleParams = Type.Object({ id: recordId("vehicle") });

/** What `include=primary_image` and `include=images` add to a vehicle. */
const includedImage: Readonly<Record<string, TSchema>> = {
  primary_image: Type.Optional(nullable(ImageAnswer)),
  image_count: Type.Optional(
    Type.Integer({ minimum: 0, description: "The number of images. Present with `include=primary_image`." }),
  ),
  images: Type.Optional(
    Type.Array(ImageAnswer, {
      description: "The images, the primary one first and the others in their order. Present with `include=images`.",
    }),
  ),
};

/** What answers of the portal add to a vehicle that was changed. */
const changeInPortal: Readonly<Record<string, TSchema>> = {
  change_id: Type.Optional(Type.String({ description: "The change of it, in answers of the portal only." })),
};

/** What it was sold for is answered with its sale only. */
const { sold_price: _, ...ANSWERED } = answerFields(NewVehicle);

/** A vehicle as it is answered. */
export const VehicleAnswer = recordSchema("Vehicle", {
  id: id(),
  ...ANSWERED,
  dealer_id: id(),
  featured: bit,
  publish: bit,
  listed_at: dateTime,
  sold_at: nullable(dateTime),
  previous_price: nullable(Type.Number({ description: VEHICLE_FIELDS.previous_price.description })),
  price_changed_at: nullable(dateTime),
  ...timestamps,
  ...includedNames("dealer_id"),
  ...includedImage,
  ...changeInPortal,
} satisfies FieldsOf<Vehicle>);

/** A word of a search, and what it stands for. */
const UnderstoodWordAnswer = Type.Object(
  {
    word: Type.String({ description: "The word as it was sent." }),
    as: nullable(
      Type.Enum([...MEANINGS], {
        description:
          "The field in which most of the vehicles have the word, or the end of a field. `null` if no vehicle has it.",
      }),
    ),
    value: nullable(
      Type.String({
        description: "What most of these vehicles have in the field; of an ending or a long text, the word.",
      }),
    ),
    total_without: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 0,
          description:
            "How many vehicles there are without this word. Present if no vehicle has all words; `null` for all but the last four.",
        }),
      ),
    ),
  } satisfies FieldsOf<AnsweredWord>,
  { title: "UnderstoodWord" },
);

/** The `meta` of a page of vehicles. */
export const vehicleMeta = {
  total: count,
  dealer_id: Type.Optional(id({ description: "Present if the result is limited to one dealer." })),
  timestamp: dateTime,
  next_cursor: nullable(
    Type.String({ description: "Send it as `cursor` to continue the list exactly after this page." }),
  ),
  understood: Type.Optional(
    Type.Array(UnderstoodWordAnswer, {
      description: "The words of `q` in their order. Present with `include=understood`.",
    }),
  ),
};

const VehicleListAnswer = recordSchema("VehiclePage", {
  meta: Type.Object(
    {
      ...vehicleMeta,
      filter_applied: Type.Boolean({ description: "True if the result was limited to the key's dealer." }),
      sql: Type.String({ description: "The SQL statement that was run, with placeholders." }),
    },
    { title: "VehiclePageMeta" },
  ),
  vehicles: Type.Array(VehicleAnswer),
});

interface Parts {
  readonly vehicles: Vehicles;
  readonly pager: VehiclePager;
  readonly versions: InventoryVersions;
  readonly clock: Clock;
  readonly exposeSql: boolean;
}

/** The vehicle as JSON, with the change if it can be reverted. */
const textOf = ({ text, changeId }: ChangedVehicle): JsonText =>
  new JsonText(changeId === undefined ? text : withFields(text, { change_id: changeId }));

const answerVehicle = (outcome: Outcome<ChangedVehicle>): Outcome<Answer> =>
  outcome instanceof Failure ? outcome : ok(textOf(outcome), { version: outcome });

type Included = readonly string[] | undefined;

/** True if an answer has the name of the dealer, which changes without the vehicle. */
const namesOthers = (include: Included): boolean => include?.includes("names") === true;

/** The version of an answer with what `include` adds. Images belong to the vehicle's own version; names do not. */
const versionOfText = (
  { id, updated_at }: Version,
  { text, include }: { readonly text: string; readonly include: Included },
): Version => {
  if (!namesOthers(include)) return { id, updated_at };
  const { dealer_name } = JSON.parse(text) as { readonly dealer_name?: string | null };
  return { id, updated_at, variant: `n${Bun.hash(JSON.stringify(dealer_name)).toString(36)}` };
};

/** Routes of vehicles (interface 6.1). */
export const vehicleRoutes = ({ vehicles, pager, versions, clock, exposeSql }: Parts): Route[] => [
  route({
    operation: "vehicle.list",
    name: "listVehicles",
    method: "GET",
    path: "/api/vehicles",
    summary: "List vehicles",
    description: "Newest first. A key that is bound to a dealer sees only that dealer's vehicles.",
    query: VehicleQuery,
    answer: { status: 200, schema: VehicleListAnswer, description: "A page of vehicles" },
    traits: ["list"],
    errors: ["search_not_ready"],
    listVersion: ({ principal, query }) =>
      andThen(versions.ofList(principal, query), (version) => version && `${version} ${exposeSql}`),
    handle({ principal, query, search, url }) {
      const read = { principal, list: "all", search };
      const from = pager.positionOf(read, query);
      if (from instanceof Failure) return from;
      return andThen(vehicles.list(principal, query, from), (page) => {
        if (page instanceof Failure) return page;
        const { nextCursor, headers } = pager.describe(read, page, { page: pageOf(query), path: pathOf(url) });
        const meta = {
          total: page.total,
          filter_applied: page.filterApplied,
          ...(page.dealerId !== null && { dealer_id: page.dealerId }),
          timestamp: clock.now(),
          sql: exposeSql ? page.sql : "",
          next_cursor: nextCursor,
          understood: page.understood,
        };
        return andThen(pager.withAdditions(page, { principal, include: query.include }), (records) =>
          ok(pageBody(meta, records), { headers }),
        );
      });
    },
  }),
  route({
    operation: "vehicle.read",
    name: "getVehicle",
    method: "GET",
    path: "/api/vehicles/:id",
    summary: "Read a vehicle",
    params: VehicleParams,
    query: IncludeInVehicle,
    answer: { status: 200, schema: VehicleAnswer, description: "The vehicle" },
    traits: ["versioned"],
    isVersion: (principal, { params, query }, version) =>
      !namesOthers(query.include) && vehicles.isVersion(principal, params.id, version),
    errors: ["not_found", "not_your_dealer"],
    handle: ({ principal, params, query }) =>
      andThen(vehicles.get(principal, params.id), (vehicle) => {
        const { include } = query;
        if (vehicle instanceof Failure || include === undefined) return answerVehicle(vehicle);
        return pager
          .textsWith([vehicle.text], { principal, include })
          .then(([text = ""]) => ok(new JsonText(text), { version: versionOfText(vehicle, { text, include }) }));
      }),
  }),
  route({
    operation: "vehicle.create",
    name: "createVehicle",
    method: "POST",
    path: "/api/vehicles",
    summary: "Create a vehicle",
    description: "For a bound key, `dealer_id` is replaced by the key's dealer. Other keys must send it.",
    body: {
      name: "NewVehicle",
      schema: Type.Object({ ...NewVehicle.properties, ...imagesField }),
      readOnly: VEHICLE_READ_ONLY,
      maxMembers: MAX_MEMBERS,
      example: {
        dealer_id: 1,
        make: "Toyota",
        model: "Camry",
        year: 2024,
        price: 25999.99,
        mileage: 12500,
        vin: "4T1G11AK6LU123456",
        stock_number: "A1042",
        features: "Bluetooth,Backup Camera",
        featured: true,
        images: ["https://images.example.com/camry/front.jpg", "https://images.example.com/camry/side.jpg"],
      },
    },
    answer: { status: 201, schema: VehicleAnswer, description: "The created vehicle" },
    traits: ["versioned", "duplicates"],
    errors: ["duplicate_vehicle", "storage_quota", "storage_full"],
    async handle({ principal, body }) {
      const vehicle = await vehicles.create(principal, body);
      if (vehicle instanceof Failure) return vehicle;
      const answer = created(textOf(vehicle), `/api/vehicles/${vehicle.id}`, vehicle);
      const { duplicateOf } = vehicle;
      return duplicateOf.length === 0
        ? answer
        : { ...answer, headers: { ...answer.headers, "x-duplicate-of": duplicateOf.join(", ") } };
    },
  }),
  route({
    operation: "vehicle.update",
    name: "updateVehicle",
    method: "PUT",
    path: "/api/vehicles/:id",
    summary: "Change fields of a vehicle",
    params: VehicleParams,
    body: {
      name: "VehicleChanges",
      schema: Type.Object({ ...VehicleChanges.properties, ...imagesField }),
      readOnly: VEHICLE_READ_ONLY,
      maxMembers: MAX_MEMBERS,
      example: { price: 24499, status: "pending" },
    },
    answer: { status: 200, schema: VehicleAnswer, description: "The updated vehicle" },
    traits: ["versioned"],
    errors: [
      "not_found",
      "not_your_dealer",
      "duplicate_vehicle",
      "precondition_failed",
      "storage_quota",
      "storage_full",
    ],
    handle: ({ principal, params, body, versions }) =>
      andThen(vehicles.update(principal, { id: params.id, input: body, versions }), answerVehicle),
  }),
  route({
    operation: "vehicle.delete",
    name: "deleteVehicle",
    method: "DELETE",
    path: "/api/vehicles/:id",
    summary: "Delete a vehicle and its images",
    params: VehicleParams,
    answer: { status: 200, schema: DoneAnswer, description: "Deleted" },
    traits: ["versioned"],
    errors: ["not_found", "not_your_dealer", "precondition_failed"],
    answers: "done",
    of: ({ principal, params, versions }) => vehicles.remove(principal, params.id, versions),
    says: ({ id }) => `Vehicle ${id} deleted`,
  }),
];
