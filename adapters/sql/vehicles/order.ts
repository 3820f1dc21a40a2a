import { type RawBuilder, type SqlBool, sql } from "kysely";
import { centsOf } from "../../../core/vehicles/vehicle.ts";
import type { Position, SortValue, VehicleOrder } from "../../../core/vehicles/vehicle-order.ts";
import type { Engine } from "../../../migrations/migration.ts";
import { type Param, param } from "../query/statement.ts";
import { daysOnLot } from "./days-on-lot.ts";

/** The parameters of an order, and those of a position in it. */
type OrderValues = {
  readonly "order.as_of": string;
  readonly "from.value": Position["value"];
  readonly "from.id": number;
};
const of: Param<OrderValues> = param;

/** A sort value in SQL. */
interface SortExpression {
  readonly expression: (engine: Engine) => RawBuilder<unknown>;
  readonly mayBeUnset?: true;
  /** Convert a value to its stored form and back, if the two differ. */
  readonly toStored?: (value: number) => number;
  readonly fromStored?: (stored: number) => number;
}

const column = (name: string): SortExpression => ({ expression: () => sql.ref(`vehicles.${name}`) });

const SORT_EXPRESSIONS: Readonly<Record<SortValue, SortExpression>> = {
  created_at: { expression: () => sql.ref("created_at") },
  updated_at: column("updated_at"),
  price: { ...column("price_cents"), toStored: centsOf, fromStored: (cents) => cents / 100 },
  mileage: { ...column("mileage"), mayBeUnset: true },
  year: column("year"),
  days_on_lot: { expression: (engine) => daysOnLot(engine, of("order.as_of")) },
  distance: { expression: () => sql.ref("near_metres") },
};

/** An order of a list in SQL. */
export interface SqlOrder {
  /** Orders of the same name have the same SQL text. */
  readonly name: string;
  /** The expressions after ORDER BY. */
  readonly orderBy: () => RawBuilder<unknown>;
  /** The condition that a row comes after the position. */
  readonly isAfterPosition: () => RawBuilder<SqlBool>;
  /** The stored value by which rows are sorted. */
  readonly value: () => RawBuilder<Position["value"]>;
  /** True if all matches must be sorted because no index has this order. */
  readonly isSorted: boolean;
  /** True if the rows must have `near_metres`. */
  readonly isByDistance: boolean;
}

const ID = sql.ref("id");
const FROM_VALUE = of("from.value");
const FROM_ID = of("from.id");

/** The condition that a row with this value comes after the position. */
const afterPosition = (value: RawBuilder<unknown>, ascending: boolean, from: Position | null): RawBuilder<SqlBool> => {
  if (from?.value === null) return sql<SqlBool>`(${value} IS NULL AND ${ID} < ${FROM_ID})`;
  return ascending
    ? sql<SqlBool>`(${value} >= ${FROM_VALUE} AND (${value} > ${FROM_VALUE} OR ${ID} < ${FROM_ID}))`
    : sql<SqlBool>`(${value}, ${ID}) < (${FROM_VALUE}, ${FROM_ID})`;
};

/**
 * An order in SQL. With `hidesIndexes`, SQLite does not read an index in this order. Without statistics, its planner
 * would read the vehicles of all dealers in order, instead of sorting those of one dealer.
 */
export const sqlOrder = (
  engine: Engine,
  { by, ascending }: VehicleOrder,
  { hidesIndexes, from }: { readonly hidesIndexes: boolean; readonly from: Position | null },
): SqlOrder => {
  const { expression, mayBeUnset } = SORT_EXPRESSIONS[by];
  const hides = hidesIndexes && engine === "sqlite";
  const value = (): RawBuilder<unknown> => (hides ? sql`+${expression(engine)}` : expression(engine));
  return {
    name: `${by} ${ascending} ${hides} ${from?.value === null} `,
    orderBy() {
      const direction = sql.raw(ascending ? "asc" : "desc");
      return sql`${value()} ${direction}${mayBeUnset ? sql` nulls last` : sql``}, ${ID} desc`;
    },
    isAfterPosition() {
      const behind = afterPosition(value(), ascending, from);
      return mayBeUnset && from?.value !== null ? sql<SqlBool>`(${behind} OR ${value()} IS NULL)` : behind;
    },
    value: () => expression(engine) as RawBuilder<Position["value"]>,
    isSorted: by !== "created_at",
    isByDistance: by === "distance",
  };
};

/** The values of an order's parameters, and those of a position in it. */
export const orderValues = ({ by, asOf }: VehicleOrder, from: Position | null): Partial<OrderValues> => {
  const { toStored } = SORT_EXPRESSIONS[by];
  return {
    ...(asOf !== undefined && { "order.as_of": asOf }),
    ...(from !== null && {
      "from.value": toStored !== undefined && typeof from.value === "number" ? toStored(from.value) : from.value,
      "from.id": from.id,
    }),
  };
};

/** The position directly after a row, made from the stored value of the row. */
export const positionAfterRow = (
  { by, asOf }: VehicleOrder,
  { value, id }: Pick<Position, "value" | "id">,
): Position => {
  const { fromStored } = SORT_EXPRESSIONS[by];
  return {
    value: fromStored !== undefined && typeof value === "number" ? fromStored(value) : value,
    id,
    ...(asOf !== undefined && { asOf }),
  };
};
