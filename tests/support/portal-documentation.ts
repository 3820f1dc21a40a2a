import { accountRoutes } from "../../adapters/http/portal/accounts.ts";
import { portalDocument } from "../../adapters/http/portal/document.ts";
import { ownAccountEndpoints } from "../../adapters/http/portal/own-account.ts";
import { portalRoutes } from "../../adapters/http/portal/routes.ts";
import { signInEndpoints } from "../../adapters/http/portal/sign-in.ts";
import { openSqlite } from "../../adapters/sql/sqlite/open.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { sharedRoutes } from "../../app/compose-core.ts";
import { coreOn, routesOf } from "./core.ts";
import { type Documentation, documentationOf } from "./documentation.ts";

// Describing accounts and endpoints does not need their use cases.
const UNUSED = new Proxy({}, { get: () => ({}) }) as never;

const text = (): string =>
  JSON.stringify(
    portalDocument({
      routes: [
        ...sharedRoutes(routesOf(coreOn(openSqlite(":memory:"), systemClock))),
        ...portalRoutes(UNUSED),
        ...accountRoutes(UNUSED, UNUSED, null),
      ],
      endpoints: [...signInEndpoints(UNUSED, UNUSED), ...ownAccountEndpoints(UNUSED)],
      version: "",
    }),
  );

let known: Documentation | undefined;

/** The documentation of the portal's routes and endpoints, against which their answers are checked. */
export const portalDocumentation = (): Documentation => {
  known ??= documentationOf(text());
  return known;
};
