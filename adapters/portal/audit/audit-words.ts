/** "vehicle.created" as "Vehicle created". */
export const actionInWords = (action: string): string => {
  const words = action.replaceAll(/[._]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** A recorded value as text. */
export const valueInWords = (value: unknown): string => {
  if (value === undefined) return "—";
  if (value === null || value === "") return "none";
  return typeof value === "string" ? value : JSON.stringify(value);
};

const PAGES: Readonly<Record<string, string>> = {
  keys: "/keys",
  users: "/users",
  dealers: "/dealers",
  vehicles: "/vehicles",
};

/** Where a record that an entry speaks of is to be seen; `null` when it has no page. */
export const pageOfRecord = (resource: string | null, id: number | null): string | null => {
  const page = PAGES[resource ?? ""];
  return id === null || page === undefined ? null : `${page}/${id}`;
};
