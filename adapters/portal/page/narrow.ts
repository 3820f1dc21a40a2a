import { useMediaQuery } from "@mantine/hooks";

/** True if the window is as narrow as a phone's, where the navigation is at the bottom. */
export const useIsNarrow = (): boolean =>
  useMediaQuery("(max-width: 47.99em)", undefined, { getInitialValueInEffect: false });
