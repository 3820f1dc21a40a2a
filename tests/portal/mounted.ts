import { accountRoutes } from "../../adapters/http/portal/accounts.ts";
import { ownAccountEndpoints } from "../../adapters/http/portal/own-account.ts";
import { portalRoutes } from "../../adapters/http/portal/routes.ts";
import { signInEndpoints } from "../../adapters/http/portal/sign-in.ts";
import type { Route } from "../../adapters/http/protocol/route.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { composeCore, composeRoutes } from "../../app/compose-core.ts";
import type { TestEngine } from "../support/engines.ts";

/** Something that answers at the portal. */
export interface Mounted {
  readonly method: string;
  /** Its pattern, such as `/portal/api/keys/:id`. */
  readonly path: string;
  readonly takesBody: boolean;
  /** True for what answers to who is not signed in. */
  readonly isOpen: boolean;
}

// What a route or endpoint would work with is not needed to tell where it is mounted.
const UNUSED = {} as never;

const mountedRoute = ({ method, path, body }: Route): Mounted => ({
  method,
  path: `/portal${path}`,
  takesBody: body !== undefined,
  isOpen: false,
});

/** Everything that is mounted behind the portal's door, read off the service's own composition. */
export const mountedOn = async (engine: TestEngine): Promise<{ api: readonly Route[]; portal: readonly Mounted[] }> => {
  const db = await engine.open();
  const core = composeCore({ db, clock: systemClock, imageDeliveryBase: null });
  const api = composeRoutes(core, { clock: systemClock, cursorSecret: "a secret of the tests", exposeSql: true });
  const own = ownAccountEndpoints({
    account: UNUSED,
    reauthentication: UNUSED,
    dealerName: UNUSED,
    farewell: [],
    version: "",
    requireSecondFactor: "none",
  });
  const portal = [
    ...[...api, ...portalRoutes(core), ...accountRoutes(UNUSED, UNUSED, null)].map(mountedRoute),
    ...[...signInEndpoints(UNUSED, UNUSED), ...own].map((endpoint) => ({
      method: endpoint.method,
      path: endpoint.path,
      takesBody: endpoint.takesBody ?? false,
      isOpen: endpoint.for === "anybody",
    })),
  ];
  await db.close();
  return { api, portal };
};

/** The path with a number in place of each parameter: there is a record of that number of everything. */
export const filled = (path: string): string =>
  path.replace(":token", "A".repeat(43)).replace(":resource/:action", "vehicles/read").replaceAll(/:\w+/g, "1");
