/** "vehicle.created" as "Vehicle created". */
export const actionInWords = (action: string): string => {
  const words = action.replaceAll(/[._]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const PAGES: Readonly<Record<string, string>> = {
  keys: "/keys",
  users: "/users",
  dealers: "/dealers",
  vehicles: "/vehicles",
  sources: "/imports/sources",
};

/** The page of an entry's record; `null` if it has none. */
export const pageOfRecord = (resource: string | null, id: number | null): string | null => {
  const page = PAGES[resource ?? ""];
  return id === null || page === undefined ? null : `${page}/${id}`;
};
