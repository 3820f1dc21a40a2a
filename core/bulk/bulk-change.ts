import Type from "typebox";
import type { Clock, Timestamp } from "../clock.ts";
import { compiledOnUse } from "../compiled.ts";
import { Failure, invalid, type Outcome } from "../failure.ts";
import { type Issue, Issues } from "../issues.ts";
import { FIXABLE_RULES, type FixableRule } from "../readiness/quality-fix.ts";
import { flag, type Input, id, ignoredFields, integer, oneOf, text } from "../schema.ts";
import { requireChange, validator } from "../validation.ts";
import { VEHICLE_READ_ONLY, VehicleChanges, vehicleChanges, vehicleFaults, vehicleRules } from "../vehicles/vehicle.ts";
import { FILTER_FAULT, type FilterQuery, filterQueryIn, VehicleFilterBody } from "../vehicles/vehicle-filter.ts";
import { PRICE_CHANGE_FAULT, PriceChange } from "./price-change.ts";

/** The maximum number of vehicles in one request. */
export const MAX_CHANGED = 1000;

const MAX_TIMESTAMP = 40;

const fields = {
  ids: Type.Optional(
    Type.Array(id(), {
      minItems: 1,
      maxItems: MAX_CHANGED,
      fault: `must be a list of 1 to ${MAX_CHANGED} ids of vehicles`,
      description: "The ids of the vehicles. Duplicates are ignored.",
    }),
  ),
  versions: Type.Optional(
    Type.Array(text(1, MAX_TIMESTAMP), {
      maxItems: MAX_CHANGED,
      fault: `must be a list of up to ${MAX_CHANGED} moments, as vehicles have them in updated_at`,
      description:
        "With `ids`: the `updated_at` of each vehicle, in the same order. Vehicles that have changed since then fail.",
    }),
  ),
  expected_total: Type.Optional(
    integer(0, MAX_CHANGED, {
      description:
        "With `filter`: the number of vehicles that you expect it to match. If it matches another number, nothing is changed.",
    }),
  ),
  fix: Type.Optional(
    oneOf(FIXABLE_RULES, {
      description:
        "A quality rule whose violations are mended, instead of `changes`: `vin_placeholder` takes such VINs away, `dates_swapped` exchanges day and month of the listed date. Vehicles that do not break it are unchanged.",
    }),
  ),
  remove: Type.Optional(
    Type.Unsafe<true>({
      const: true,
      fault: "must be true",
      description: "Removes the vehicles. Send it instead of `changes`.",
    }),
  ),
  dry_run: Type.Optional(
    flag({ default: false, description: "If true, nothing is changed, and the answer tells what would happen." }),
  ),
};

/** Body of POST /api/vehicles/bulk, as documented. */
export const BulkChange = Type.Object({
  ...fields,
  filter: Type.Optional(VehicleFilterBody),
  changes: Type.Optional(
    Type.Object(
      {
        ...VehicleChanges.properties,
        ...ignoredFields(VEHICLE_READ_ONLY),
        price: Type.Optional(Type.Union([VehicleChanges.properties.price, ...PriceChange.anyOf])),
      },
      {
        title: "BulkVehicleChanges",
        additionalProperties: false,
        description: "The same fields as in a PUT. The price may also be given as a difference.",
      },
    ),
  ),
});

const CHANGES_FAULT = "must be an object of fields";

/** The same with nested objects that are validated separately. */
const bulkChange = validator(
  Type.Object({
    ...fields,
    filter: Type.Optional(Type.Object({}, { fault: FILTER_FAULT })),
    changes: Type.Optional(Type.Object({}, { fault: CHANGES_FAULT })),
  }),
);

/** The fields that are set on all vehicles, and how the price changes. */
export interface WantedChanges {
  readonly fields: Input<typeof VehicleChanges>;
  readonly price: PriceChange | null;
}

/** What to do with which vehicles. */
export interface BulkRequest {
  readonly target:
    | { readonly ids: readonly number[]; readonly versions: ReadonlyMap<number, Timestamp> }
    | { readonly filter: FilterQuery; readonly expectedTotal: number | null };
  readonly change: WantedChanges | "remove" | { readonly fix: FixableRule };
  readonly isDryRun: boolean;
}

const isPriceChange = compiledOnUse(PriceChange);

/** The changes of a body, whose price may be a difference, or every issue with them. */
export const changesIn = (sent: object, clock: Pick<Clock, "now" | "parse">): Outcome<WantedChanges> => {
  const { price, ...others } = sent as { readonly price?: unknown };
  if (typeof price !== "object" || price === null) {
    const fields = requireChange(vehicleChanges.parse(sent, vehicleRules(clock), vehicleFaults(clock)));
    return fields instanceof Failure ? fields : { fields, price: null };
  }
  const fields = vehicleChanges.parse(others, vehicleRules(clock), vehicleFaults(clock));
  const issue = { path: "price", message: PRICE_CHANGE_FAULT };
  if (!isPriceChange().Check(price))
    return fields instanceof Failure ? mergedFailure([fields, invalid(issue)]) : invalid(issue);
  return fields instanceof Failure ? fields : { fields, price: price as PriceChange };
};

/** One failure with the issues of several. */
export const mergedFailure = (failures: readonly Failure[]): Failure => {
  const issues = new Issues();
  let omitted = 0;
  for (const { cause } of failures)
    if (cause.kind === "invalid") {
      issues.storeAll(cause.issues);
      omitted += cause.omitted;
    }
  return new Failure({ kind: "invalid", issues: issues.list, omitted: issues.omitted + omitted });
};

/** The same outcome, with the issues' paths below a field of the body. */
export const issuesUnder = <Value>(field: string, outcome: Outcome<Value>): Outcome<Value> => {
  if (!(outcome instanceof Failure) || outcome.cause.kind !== "invalid") return outcome;
  const issues = outcome.cause.issues.map(({ path, message }) => ({
    path: path === "" ? field : `${field}.${path}`,
    message,
  }));
  return new Failure({ ...outcome.cause, issues });
};

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** What is wrong with the combination of fields in a body. */
const combinationIssues = (sent: Readonly<Record<string, unknown>>): Issue[] => {
  const has = (name: string): boolean => sent[name] !== undefined;
  const issues: Issue[] = [];
  if (has("ids") === has("filter")) issues.push({ path: "ids", message: "or filter must be there, and not both" });
  const { ids, versions } = sent;
  if (versions !== undefined && !(Array.isArray(ids) && Array.isArray(versions) && ids.length === versions.length))
    issues.push({ path: "versions", message: "must be as many as ids" });
  if (["changes", "remove", "fix"].filter(has).length !== 1)
    issues.push({ path: "changes", message: "or remove or fix must be there, and only one of them" });
  if (has("expected_total") && !has("filter")) issues.push({ path: "expected_total", message: "belongs to a filter" });
  if (has("filter") && !has("expected_total") && sent.dry_run !== true)
    issues.push({ path: "expected_total", message: "is required with a filter, unless it is a dry run" });
  return issues;
};

/** True for a request that needs the right to remove vehicles, whatever else is wrong with it. */
export const requestsRemoval = (input: unknown): boolean => isObject(input) && "remove" in input;

/** The version that each vehicle must have; if an id is given twice, the last version counts. */
const versionsOf = (ids: readonly number[], versions: readonly Timestamp[]): ReadonlyMap<number, Timestamp> =>
  new Map(versions.map((version, index) => [ids[index] ?? 0, version]));

/** A valid request, or every issue with it. */
export const bulkRequestIn = (input: unknown, clock: Pick<Clock, "now" | "parse">): Outcome<BulkRequest> => {
  const sent: Readonly<Record<string, unknown>> = isObject(input) ? { ...input } : {};
  const body = bulkChange.parse(input, () => combinationIssues(sent));
  const filter = isObject(sent.filter) ? issuesUnder("filter", filterQueryIn(sent.filter)) : null;
  const changes = isObject(sent.changes) ? issuesUnder("changes", changesIn(sent.changes, clock)) : null;
  const failures = [body, filter, changes].filter((outcome) => outcome instanceof Failure);
  if (failures.length > 0 || body instanceof Failure) return mergedFailure(failures);
  return {
    target:
      filter === null || filter instanceof Failure
        ? { ids: [...new Set(body.ids)], versions: versionsOf(body.ids ?? [], body.versions ?? []) }
        : { filter, expectedTotal: body.expected_total ?? null },
    change:
      body.fix !== undefined ? { fix: body.fix } : changes === null || changes instanceof Failure ? "remove" : changes,
    isDryRun: body.dry_run ?? false,
  };
};
