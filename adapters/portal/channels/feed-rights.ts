import { useMay } from "../session/session.tsx";

/** True if the signed-in user may create and change feeds: such a feed is served by the user's right to its vehicles. */
export const useMayMakeFeeds = (): boolean => {
  const may = useMay();
  return may("feeds:write") && may("vehicles:read");
};
