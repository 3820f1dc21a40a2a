import { accountRoutes } from "../../adapters/http/portal/accounts.ts";
import { portalDocument } from "../../adapters/http/portal/document.ts";
import { ownAccountEndpoints } from "../../adapters/http/portal/own-account.ts";
import { portalRoutes } from "../../adapters/http/portal/routes.ts";
import { signInEndpoints } from "../../adapters/http/portal/sign-in.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { composeRoutes, sharedRoutes } from "../../app/compose-core.ts";
import { type Documentation, documentationOf } from "./documentation.ts";

// Describing routes and endpoints does not need their use cases.
const UNUSED = new Proxy({}, { get: () => ({}) }) as never;

const text = (): string =>
  JSON.stringify(
    portalDocument({
      routes: [
        ...sharedRoutes(
          composeRoutes(UNUSED, { clock: systemClock, cursorSecret: "a secret of the tests", exposeSql: true }),
        ),
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
