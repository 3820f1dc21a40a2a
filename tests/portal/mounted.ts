import { accountRoutes } from "../../adapters/http/portal/accounts.ts";
import { ownAccountEndpoints } from "../../adapters/http/portal/own-account.ts";
import { portalRoutes } from "../../adapters/http/portal/routes.ts";
import { signInEndpoints } from "../../adapters/http/portal/sign-in.ts";
import type { Route } from "../../adapters/http/protocol/route.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { sharedRoutes } from "../../app/compose-core.ts";
import { coreOn, routesOf } from "../support/core.ts";
import type { TestEngine } from "../support/engines.ts";

/** An endpoint or route of the portal. */
export interface Mounted {
  readonly method: string;
  /** Its pattern, such as `/portal/api/keys/:id`. */
  readonly path: string;
  readonly takesBody: boolean;
  /** True if it answers clients that are not signed in. */
  readonly isOpen: boolean;
}

// Finding out where routes and endpoints are mounted does not need their use cases.
const UNUSED = {} as never;

const mountedRoute = ({ method, path, body }: Route): Mounted => ({
  method,
  path: `/portal${path}`,
  takesBody: body !== undefined,
  isOpen: false,
});

/** Everything mounted at the portal's entry point, taken from the service's own composition. */
export const mountedOn = async (engine: TestEngine): Promise<{ api: readonly Route[]; portal: readonly Mounted[] }> => {
  const db = await engine.open();
  const core = coreOn(db, systemClock);
  const api = routesOf(core);
  const own = ownAccountEndpoints({
    account: UNUSED,
    reauthentication: UNUSED,
    dealerName: UNUSED,
    expiredCookies: [],
    version: "",
    requireSecondFactor: "none",
  });
  const portal = [
    ...[...sharedRoutes(api), ...portalRoutes(core), ...accountRoutes(UNUSED, UNUSED, null)].map(mountedRoute),
    ...[...signInEndpoints(UNUSED, UNUSED), ...own].map((endpoint) => ({
      method: endpoint.method,
      path: endpoint.path,
      takesBody: endpoint.body !== undefined,
      isOpen: endpoint.for === "anybody",
    })),
  ];
  await db.close();
  return { api, portal };
};

/** The path with an id for each parameter: every kind of record has one with that id. */
export const filled = (path: string): string =>
  path.replace(":token", "A".repeat(43)).replace(":resource/:action", "vehicles/read").replaceAll(/:\w+/g, "1");
