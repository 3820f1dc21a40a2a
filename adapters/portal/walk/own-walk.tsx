import { useEffect } from "react";
import { lazyPage } from "../page/lazy-page.tsx";
import { walkOwner } from "./walk-owner.ts";

/** What is asked before somebody signs out of a device with a walk. Its script is loaded only then. */
export const WalkBeforeSignOut = lazyPage(() => import("./walk-at-sign-out.tsx").then((part) => part.WalkAtSignOut));

/** Nothing of a walk is shown to another user of the device: what its cards show is deleted once one signs in. */
export const useOnlyOwnWalk = (userId: number): void => {
  useEffect(() => {
    const owner = walkOwner();
    if (owner !== null && owner !== userId)
      void import("./device.ts").then(({ forgetVehicles }) => forgetVehicles()).catch(() => {});
  }, [userId]);
};
