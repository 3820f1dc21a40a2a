/** The user whose walk is on this device, noted where every page sees it at once. */
const OWNER = "portal-walk-of";

/** The id of the user whose walk is on this device; `null` if there is none. */
export const walkOwner = (): number | null => {
  const owner = localStorage.getItem(OWNER);
  return owner === null ? null : Number(owner);
};

/** Notes whose walk is on this device; `null` for nobody's. */
export const noteWalkOwner = (userId: number | null): void => {
  if (userId === null) localStorage.removeItem(OWNER);
  else localStorage.setItem(OWNER, String(userId));
};
