import type { Area } from "./area.ts";
import { contracts, http, portal } from "./tests.ts";

/** What stands between the service and browsers. */
export const AT_BROWSERS: readonly Area[] = [
  {
    name: "ceilings of the portal",
    operators: "ceilings",
    files: ["adapters/portal/permissions", "adapters/portal/keys", "adapters/portal/users"],
    tests: [["tests/adapters/portal"], ["tests/portal/journeys.test.ts", "-t", "only the admin's own permissions"]],
  },
  {
    name: "origins",
    isVital: true,
    operators: "origins",
    files: ["adapters/http/server/entry-point.ts", "adapters/http/protocol/headers.ts"],
    within: ["crossOriginProblem", "originOf", "corsHeaders", "sharedApiHeaders"],
    tests: [http("protocol"), portal("attacks", "sign-in", "own-denials"), http("routes", "configuration")],
  },
  {
    name: "cookies",
    isVital: true,
    operators: "cookies",
    files: ["adapters/sign-in/cookies.ts"],
    tests: [
      ["tests/adapters/sign-in/cookies.test.ts", "tests/adapters/sign-in/made-by-better-auth.test.ts"],
      portal("sign-in", "attacks", "sign-in-sessions"),
    ],
  },
];

/** What keeps the requests of the service away from addresses that it must not reach. */
export const REQUESTS_TO_OTHERS: Area = {
  name: "requests to others",
  isVital: true,
  operators: "egress",
  files: ["core/egress", "adapters/egress"],
  tests: [["tests/core/egress"], ["tests/adapters/egress"]],
};

/** What counts the requests of each caller. */
export const RATE_LIMITS: Area = {
  name: "rate limits",
  operators: "turns",
  files: ["adapters/rate-limit"],
  tests: [
    ["counts", "timeout", "late-answers", "lost-connections"].map(
      (name) => `tests/adapters/rate-limit/${name}.test.ts`,
    ),
    [...contracts("rate-limiter"), "tests/adapters/rate-limit/redis.test.ts"],
    ["tests/adapters/rate-limit"],
    http("rate-limits"),
  ],
};
