import Type from "typebox";
import { scopeOf } from "../access/decide.ts";
import type { Principal } from "../access/principal.ts";
import { useCase } from "../access/use-case.ts";
import { beginChange } from "../changes/named-change.ts";
import type { Clock } from "../clock.ts";
import { Failure, type Outcome } from "../failure.ts";
import { type ImageRules, imagesField, sentImages } from "../images/image-list.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import { ignoredFields, oneOf } from "../schema.ts";
import type { SettingsRepository } from "../settings/settings-repository.ts";
import type { Storage } from "../storage.ts";
import { validator } from "../validation.ts";
import { isNoStockNumber, isNothing, isNoVin } from "../vehicles/nothing.ts";
import { VEHICLE_READ_ONLY, VehicleChanges } from "../vehicles/vehicle.ts";
import { MATCHES, ON_ERROR } from "./import.ts";
import type { ImportIssue } from "./import-issue.ts";
import type { RowTransactions } from "./import-repository.ts";
import type { ReadRow, RowResult } from "./row-decision.ts";
import { makeRows, TURN_MS } from "./rows.ts";
import { SeenRows } from "./seen-rows.ts";
import { type ExportedIdentity, vinWarning } from "./values/values.ts";

/** The maximum number of vehicles in one request. */
export const MAX_ITEMS = 500;
/** The number of items that are written in one transaction. */
const TRANSACTION_ITEMS = 100;

const LIST = {
  minItems: 1,
  maxItems: MAX_ITEMS,
  fault: `must be a list of 1 to ${MAX_ITEMS} vehicles`,
};
const options = {
  match: Type.Optional(
    oneOf(MATCHES, {
      default: "auto",
      description:
        "How the vehicle of an item is found. `auto` uses the VIN if the item has one, and otherwise the stock number.",
    }),
  ),
  on_error: Type.Optional(
    oneOf(ON_ERROR, { default: "skip", description: "With `reject`, nothing is written unless all items are valid." }),
  ),
};

/** Body of POST /api/vehicles/batch, as documented. */
export const BatchRequest = Type.Object({
  items: Type.Array(
    Type.Object(
      { ...VehicleChanges.properties, ...imagesField, ...ignoredFields(VEHICLE_READ_ONLY) },
      {
        title: "BatchItem",
        additionalProperties: false,
        description:
          "An item that matches no vehicle must be a valid body of a POST, other items a valid body of a PUT. Read-only fields of a vehicle are accepted and ignored.",
      },
    ),
    LIST,
  ),
  ...options,
});
const batchRequest = validator(Type.Object({ items: Type.Array(Type.Unknown(), LIST), ...options }));

/**
 * The result of an item. `skipped` means that the item is valid, but was not written because other items are invalid.
 */
export const BATCH_OUTCOMES = ["created", "updated", "unchanged", "failed", "skipped"] as const;
type BatchOutcome = (typeof BATCH_OUTCOMES)[number];

/**
 * The result of an item. The path of an issue is such as `items[3].price`, or `items[3]` if it is about the whole item.
 */
export interface BatchResult {
  readonly index: number;
  readonly outcome: BatchOutcome;
  readonly vehicle_id: number | null;
  readonly errors: readonly ImportIssue[];
  readonly warnings: readonly ImportIssue[];
}

/** The results of all items. */
export interface BatchAnswer {
  readonly results: readonly BatchResult[];
  readonly counts: Readonly<Record<BatchOutcome, number>>;
  /** The change, so that it can be reverted; `null` if it changed nothing. */
  readonly change_id: string | null;
}

/** A request to write several vehicles. */
interface SentBatch {
  readonly input: unknown;
  /** True while the caller has the same rights. */
  readonly mayGoOn: () => MaybePromise<boolean>;
}

interface Parts {
  readonly work: RowTransactions;
  readonly storage: Pick<Storage, "recentRefusal">;
  readonly settings: Pick<SettingsRepository, "read">;
  readonly clock: Clock;
  readonly images: ImageRules;
  /**
   * The time in milliseconds during which a request may begin transactions. It leaves time for the answer to reach the
   * client.
   */
  readonly maxMs: number;
  /** True if the changes so far keep everybody else from changing anything. */
  readonly holdsOthersUp: () => boolean;
  /** Lets other work run between transactions. */
  readonly pause: () => Promise<void>;
  /** True if the database was unavailable, in which case a change may or may not have been made. */
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

/** The identity of the vehicle if the item was copied from an answer of this service. */
const exportedIdentityIn = ({ id, created_at }: Readonly<Record<string, unknown>>): ExportedIdentity | null =>
  isId(id) && typeof created_at === "string" ? { id, createdAt: created_at } : null;

const PLACEHOLDER = { code: "placeholder", message: "is no VIN, and is taken as no value" };

/** The fields of an item whose values are none: words such as `N/A` keep the field, like a field that was not sent. */
const sentValues = (sent: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(sent).filter(([field, value]) => {
      if (typeof value !== "string" || field === "vin") return true;
      return field === "stock_number" ? value === "" || !isNoStockNumber(value) : !isNothing(value);
    }),
  );

/** The row that an item stands for. Its values are validated later, by the schemas of POST and PUT. */
const rowOf = (
  item: unknown,
  { scope, rules }: { readonly scope: number | null; readonly rules: ImageRules },
): ReadRow => {
  const isObject = typeof item === "object" && item !== null && !Array.isArray(item);
  const { dealer_id: dealer = null, images, ...sent } = (isObject ? item : {}) as Readonly<Record<string, unknown>>;
  const dealerId = scope ?? (isId(dealer) ? dealer : null);
  const { vin, ...others } = sentValues(sent);
  const isPlaceholder = typeof vin === "string" && vin !== "" && isNoVin(vin);
  const values: Readonly<Record<string, unknown>> = isPlaceholder || vin === undefined ? others : { vin, ...others };
  const warning = isPlaceholder ? PLACEHOLDER : vinWarning(vin);
  const listed = sentImages(images, rules);
  const primary = listed.images?.find(({ is_primary }) => is_primary)?.image_url;
  return {
    dealerId,
    values: {
      fields: Object.fromEntries(Object.entries(values).filter(([name]) => !READ_ONLY.has(name))),
      images: listed.images === undefined ? null : [...new Set(listed.images.map(({ image_url }) => image_url))],
      ...(primary !== undefined && { primary }),
      key: { vin: textIn(values.vin), stock_number: textIn(values.stock_number) },
      exported: exportedIdentityIn(sent),
      dealerId,
      errors: [
        ...(isObject ? [] : [NO_OBJECT]),
        ...(dealer === null || isId(dealer) ? [] : [BAD_DEALER]),
        ...listed.issues.map((issue) => ({ ...issue, code: "value_invalid" })),
      ],
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

/** True if sending this value would not change the stored one. Flags may be sent as booleans or as numbers. */
const isSame = (_field: string, stored: unknown, sent: unknown): boolean =>
  stored === sent || (typeof sent === "boolean" && Number(sent) === stored);

/**
 * The use case of creating or changing several vehicles with one request. Items are processed like the rows of an
 * import.
 */
export const makeBatches = ({
  work,
  storage,
  settings,
  clock,
  images,
  maxMs,
  holdsOthersUp,
  pause,
  isUnavailable,
}: Parts) => {
  const apply = makeRows({ clock, images, pause });

  return {
    /** Writes the items. Each succeeds or fails by itself, unless `on_error` says otherwise. */
    write: useCase("vehicle.batch", async (principal, { input, mayGoOn }: SentBatch): Promise<Outcome<BatchAnswer>> => {
      const begunAt = clock.steadyMs();
      const request = batchRequest.parse(input);
      if (request instanceof Failure) return request;
      const { items, match = "auto", on_error = "skip" } = request;
      const scope = scopeOf(principal);
      const noRoom = await storage.recentRefusal(scope);
      if (noRoom !== null) return noRoom;
      const rows: ReadRow[] = [];
      let since = clock.steadyMs();
      for (const item of items) {
        if (clock.steadyMs() - since >= TURN_MS) {
          await pause();
          since = clock.steadyMs();
        }
        rows.push(rowOf(item, { scope, rules: images }));
      }
      const transaction = work.begin();
      const { resale_days: resaleDays } = await settings.read();
      const named = beginChange(clock, "batch", principal);
      const by: Principal = { ...principal, change: named };

      /**
       * The results of all rows; with `isCheck`, what they would be. The results of rows that were not reached say why.
       */
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
          if (from > 0 && (clock.steadyMs() - begunAt >= maxMs || holdsOthersUp())) rest(NOT_BEGUN);
          else if (!(await mayGoOn())) rest(NOT_ALLOWED);
          if (results.length > from) break;
          const some = rows.slice(from, from + TRANSACTION_ITEMS);
          try {
            const processed = await transaction((step) =>
              apply(step, some, {
                ...{
                  by,
                  seen,
                  isCheck,
                  refusesDuplicates: true,
                  resaleDays,
                  isSame,
                  nameOf: (field) => field,
                },
                options: { mode: "upsert", match, images: "exactly" },
              }),
            );
            results.push(...processed.map(asResult));
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
      const counts = countsOf(results);
      return { results, counts, change_id: counts.created + counts.updated > 0 ? named.id : null };
    }),
  };
};

export type Batches = ReturnType<typeof makeBatches>;

const asResult = ({ outcome, vehicle_id, errors, warnings }: RowResult): Omit<BatchResult, "index"> => {
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
