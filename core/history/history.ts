/** The fields whose changes a vehicle's history keeps, in the order in which one change is told. */
export const HISTORY_FIELDS = ["dealer_id", "status", "stage", "price", "mileage"] as const;
export type HistoryField = (typeof HISTORY_FIELDS)[number];
