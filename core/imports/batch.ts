import Type from "typebox";
import { admit, scopeOf } from "../access/decide.ts";
import type { Principal } from "../access/principal.ts";
import type { Clock } from "../clock.ts";
import { Failure, type Outcome } from "../failure.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import { oneOf } from "../schema.ts";
import { validator } from "../validation.ts";
import { VEHICLE_READ_ONLY, VehicleChanges } from "../vehicles/vehicle.ts";
import { MATCHES, ON_ERROR } from "./import.ts";
import type { ImportIssue } from "./import-issue.ts";
import type { RowWork, StoredRow } from "./import-repository.ts";
import { type ImageRules, makeRows, type ReadRow } from "./rows.ts";
import { SeenRows } from "./seen-rows.ts";
import { vinWarning, type WrittenVehicle } from "./values/values.ts";

/** So many vehicles may be sent with one request. */
export const MOST_ITEMS = 500;
/** So many of them are written in one transaction. */
const AT_ONCE = 100;

const LIST = {
  minItems: 1,
  maxItems: MOST_ITEMS,
  fault: `must be a list of 1 to ${MOST_ITEMS} vehicles`,
};
const options = {
  match: Type.Optional(
    oneOf(MATCHES, { default: "auto", description: "What finds an item's vehicle; `auto`: the VIN if it has one." }),
  ),
  on_error: Type.Optional(
    oneOf(ON_ERROR, { default: "skip", description: "`reject`: nothing is written unless all items are good." }),
  ),
};

/** Body of POST /api/vehicles/batch, as documented. */
export const BatchRequest = Type.Object({
  items: Type.Array(
    Type.Object(VehicleChanges.properties, {
      title: "BatchItem",
      description:
        "As the body of a POST where it finds no vehicle, else of a PUT. What a vehicle has besides is accepted and ignored.",
    }),
    LIST,
  ),
  ...options,
});
const batchRequest = validator(Type.Object({ items: Type.Array(Type.Unknown(), LIST), ...options }));

/** What became of an item. `skipped`: it is good, and not written as others are not. */
export const BATCH_OUTCOMES = ["created", "updated", "unchanged", "failed", "skipped"] as const;
type BatchOutcome = (typeof BATCH_OUTCOMES)[number];

/** What became of an item; `path` of an issue is such as `items[3].price`, or `items[3]` for the whole item. */
export interface BatchResult {
  readonly index: number;
  readonly outcome: BatchOutcome;
  readonly vehicle_id: number | null;
  readonly errors: readonly ImportIssue[];
  readonly warnings: readonly ImportIssue[];
}

/** What became of all of them. */
export interface BatchAnswer {
  readonly results: readonly BatchResult[];
  readonly counts: Readonly<Record<BatchOutcome, number>>;
}

/** Whose request it is, and whether the caller may still do what it could. */
interface Asked {
  readonly principal: Principal;
  readonly mayGoOn: () => MaybePromise<boolean>;
}

interface Parts {
  readonly work: RowWork;
  readonly clock: Clock;
  readonly images: ImageRules;
  /** How long one request may begin transactions, in milliseconds: its answer must still reach the client. */
  readonly mostMs: number;
  /** Lets the work of others come between. */
  readonly pause: () => Promise<void>;
  /** True for an error of the database that says nothing about the change itself. */
  readonly isUnavailable: (error: unknown) => boolean;
}

const NOT_BEGUN = { path: "", code: "not_reached", message: "was not reached in time; send it again" };
const NOT_ALLOWED = { path: "", code: "rights_lost", message: "was not reached, as the caller's rights have changed" };
const UNCONFIRMED = {
  path: "",
  code: "unconfirmed",
  message: "may have been written, as the database did not answer; send it again",
};
const NO_OBJECT = { path: "", code: "value_invalid", message: "must be a JSON object" };
const BAD_DEALER = {
  path: "dealer_id",
  code: "value_invalid",
  message: `must be a whole number from 1 to ${Number.MAX_SAFE_INTEGER}`,
};

const READ_ONLY: ReadonlySet<string> = new Set(VEHICLE_READ_ONLY);

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;
const textIn = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/** The vehicle that an item is, if it was answered by this service. */
const writtenIn = ({ id, created_at }: Readonly<Record<string, unknown>>): WrittenVehicle | null =>
  isId(id) && typeof created_at === "string" ? { id, createdAt: created_at } : null;

/** An item as a row. Its values are judged by the schemas of POST and PUT. */
const rowOf = (item: unknown, index: number, scope: number | null): ReadRow => {
  const place = index + 1;
  const isObject = typeof item === "object" && item !== null && !Array.isArray(item);
  const { dealer_id: dealer = null, ...sent } = (isObject ? item : {}) as Readonly<Record<string, unknown>>;
  const dealerId = scope ?? (isId(dealer) ? dealer : null);
  const warning = vinWarning(sent.vin);
  return {
    row: { row: place, line: place, cells: [], problem: null, next: { offset: 0, line: place, row: place } },
    dealerId,
    values: {
      fields: Object.fromEntries(Object.entries(sent).filter(([name]) => !READ_ONLY.has(name))),
      images: null,
      key: { vin: textIn(sent.vin), stock_number: textIn(sent.stock_number) },
      written: writtenIn(sent),
      dealerId,
      errors: [...(isObject ? [] : [NO_OBJECT]), ...(dealer === null || isId(dealer) ? [] : [BAD_DEALER])],
      warnings: warning === null ? [] : [{ path: "vin", ...warning }],
    },
  };
};

const resultOf = (
  index: number,
  { outcome, vehicle_id, errors, warnings }: Omit<BatchResult, "index">,
): BatchResult => {
  const within = (issue: ImportIssue): ImportIssue => ({
    ...issue,
    path: issue.path === "" ? `items[${index}]` : `items[${index}].${issue.path}`,
  });
  return { index, outcome, vehicle_id, errors: errors.map(within), warnings: warnings.map(within) };
};

/** True for a value that a body does not change: flags are answered as numbers, and may be sent as such. */
const isSame = (_field: string, stored: unknown, sent: unknown): boolean =>
  stored === sent || (typeof sent === "boolean" && Number(sent) === stored);

/** The use case of a few vehicles that are created or changed with one request, as the rows of an import are. */
export const makeBatches = ({ work, clock, images, mostMs, pause, isUnavailable }: Parts) => {
  const apply = makeRows({ clock, images, pause });

  return {
    /** Each item succeeds or fails by itself, unless `on_error` says otherwise. */
    async write({ principal, mayGoOn }: Asked, input: unknown): Promise<Outcome<BatchAnswer>> {
      const begunAt = clock.steadyMs();
      const refused = admit(principal, "vehicle.batch");
      const request = batchRequest.parse(input);
      if (refused !== null || request instanceof Failure) return refused ?? (request as Failure);
      const { items, match = "auto", on_error = "skip" } = request;
      const scope = scopeOf(principal);
      const rows = items.map((item, index) => rowOf(item, index, scope));
      const transaction = work.begin();

      /** What became of the rows, or would; of those that are not reached, why. */
      const pass = async (isCheck: boolean): Promise<readonly Omit<BatchResult, "index">[]> => {
        const seen = new SeenRows();
        const results: Omit<BatchResult, "index">[] = [];
        const rest = (error: ImportIssue, count = rows.length): void => {
          while (results.length < count)
            results.push({ outcome: "failed", vehicle_id: null, errors: [error], warnings: [] });
        };
        while (results.length < rows.length) {
          const from = results.length;
          await pause();
          if (from > 0 && clock.steadyMs() - begunAt >= mostMs) rest(NOT_BEGUN);
          else if (!(await mayGoOn())) rest(NOT_ALLOWED);
          if (results.length > from) break;
          const some = rows.slice(from, from + AT_ONCE);
          try {
            const kept = await transaction((step) =>
              apply(step, some, {
                ...{ by: principal, seen, isCheck, isSame, nameOf: (field) => field },
                options: { mode: "upsert", match, images: "keep" },
              }),
            );
            results.push(...kept.map(asResult));
          } catch (error) {
            if (from === 0 || !isUnavailable(error)) throw error;
            rest(UNCONFIRMED, from + some.length);
            rest(NOT_BEGUN);
          }
        }
        return results;
      };

      const checked = on_error === "reject" ? await pass(true) : null;
      const isRejected = checked?.some(({ outcome }) => outcome === "failed") ?? false;
      const became = isRejected ? (checked ?? []).map(skipped) : await pass(false);
      const results = became.map((result, index) => resultOf(index, result));
      return { results, counts: countsOf(results) };
    },
  };
};

export type Batches = ReturnType<typeof makeBatches>;

const asResult = ({ outcome, vehicle_id, errors, warnings }: StoredRow): Omit<BatchResult, "index"> => {
  if (outcome === "missing") throw new Error("nothing is missing of a batch");
  return { outcome, vehicle_id, errors, warnings };
};

const skipped = (result: Omit<BatchResult, "index">): Omit<BatchResult, "index"> =>
  result.outcome === "failed" ? result : { ...result, outcome: "skipped" };

const countsOf = (results: readonly BatchResult[]): BatchAnswer["counts"] => {
  const of = (wanted: BatchOutcome): number => results.filter(({ outcome }) => outcome === wanted).length;
  return {
    created: of("created"),
    updated: of("updated"),
    unchanged: of("unchanged"),
    failed: of("failed"),
    skipped: of("skipped"),
  };
};
