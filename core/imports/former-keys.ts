import { comparedKey, type RowKey } from "./matching.ts";

/** The keys that the last file had for a vehicle which has others since. */
export interface FormerKeys extends RowKey {
  readonly vehicleId: number;
  readonly dealerId: number;
}

/** The vehicles of a dealer that the last file called so, and that have another key since. */
export type FormerlyCalled = (dealerId: number, key: RowKey) => readonly number[];

const keyNames = (dealerId: number, key: RowKey): readonly string[] => {
  const { vin, stock_number } = comparedKey(key);
  return [
    ...(vin === null ? [] : [`${dealerId} vin ${vin}`]),
    ...(stock_number === null ? [] : [`${dealerId} stock ${stock_number}`]),
  ];
};

/** Finds vehicles by their former keys. */
export const formerlyCalledIn = (all: readonly FormerKeys[]): FormerlyCalled => {
  if (all.length === 0) return () => [];
  const ids = Map.groupBy(
    all.flatMap(({ dealerId, vehicleId, ...key }) => keyNames(dealerId, key).map((name) => [name, vehicleId] as const)),
    ([name]) => name,
  );
  return (dealerId, key) => keyNames(dealerId, key).flatMap((name) => (ids.get(name) ?? []).map(([, id]) => id));
};
