import { type Area, SQL } from "./area.ts";
import { contracts, http, portal } from "./tests.ts";

/** Statements and rules of signing in. */
export const SIGNING_IN: readonly Area[] = [
  {
    ...SQL,
    name: "statements of signing in",
    isVital: true,
    files: ["adapters/sql/sign-in"],
    tests: [
      contracts(
        "accounts",
        "attempts",
        "sessions",
        "sign-in-changes",
        "invitations",
        "account-copies",
        "hourly-limits",
        "sign-in-races",
      ),
      contracts("challenges", "sealed-secrets", "scope-of-changes"),
      portal("sign-in", "sign-in-sessions", "sign-in-second-factor", "sign-in-lockout", "sign-in-passwords"),
      portal("invitations", "accounts", "reauthentication", "own-sign-in", "secret-key"),
    ],
  },
  {
    name: "rules of signing in",
    isVital: true,
    operators: "rules",
    files: ["core/sign-in"],
    tests: [
      ["tests/core/sign-in"],
      portal("sign-in", "sign-in-lockout", "sign-in-second-factor", "sign-in-passwords", "sign-in-sessions"),
      portal("invitations", "own-sign-in", "reauthentication", "sign-in-record", "sign-in-secrecy", "invitation-mail"),
      [...portal("accounts", "attacks", "forgeries"), ...contracts("sign-in-races", "sessions", "invitations")],
      http("quotas"),
    ],
  },
];
