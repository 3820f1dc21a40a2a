import Type from "typebox";
import {
  type SecondFactorRule,
  usersMustSetUpSecondFactor,
} from "../../../core/access/rules/users-must-set-up-second-factor.ts";
import { Failure, invalid, notFound, type Outcome } from "../../../core/failure.ts";
import { id } from "../../../core/schema.ts";
import type { OwnAccount } from "../../../core/sign-in/own-account.ts";
import type { Reauthentication } from "../../../core/sign-in/reauthentication.ts";
import { presentUser } from "../../../core/users/user.ts";
import { parameterReader } from "../protocol/parameters.ts";
import { type Answer, done, ok } from "../protocol/route.ts";
import type { PortalEndpoint } from "./endpoint.ts";

interface Parts {
  readonly account: OwnAccount;
  readonly reauthentication: Reauthentication;
  /** Returns the name of a dealer; `null` if there is none. */
  readonly dealerName: (dealerId: number) => Promise<string | null>;
  /** Set-Cookie values that remove the session's cookies from the browser. */
  readonly expiredCookies: readonly string[];
  readonly version: string;
  readonly requireSecondFactor: SecondFactorRule;
}

const readParameters = parameterReader(Type.Object({ id: id() }), "ignored");

const unlessFailed = <Value>(outcome: Outcome<Value>, answer: (value: Value) => Answer): Outcome<Answer> =>
  outcome instanceof Failure ? outcome : answer(outcome);

const sessionEndpoints = ({
  account,
  dealerName,
  expiredCookies,
  version,
  requireSecondFactor,
}: Parts): PortalEndpoint[] => [
  {
    method: "GET",
    path: "/portal/api/session",
    for: "signed in",
    beforeSecondFactor: true,
    async handle({ signedIn }) {
      const { user, session, secondFactor, recoveryCodesLeft } = signedIn;
      const { dealerId } = user;
      const dealer = dealerId === null ? null : { id: dealerId, name: await dealerName(dealerId) };
      return ok({
        user: presentUser(user),
        dealer,
        second_factor: secondFactor,
        second_factor_required: usersMustSetUpSecondFactor(requireSecondFactor, signedIn),
        session_id: session.id,
        recovery_codes_left: recoveryCodesLeft,
        version,
      });
    },
  },
  {
    method: "POST",
    path: "/portal/api/sign-out",
    for: "signed in",
    beforeSecondFactor: true,
    async handle({ signedIn, client, by }) {
      await account.signOut(signedIn, client, by);
      return done("Signed out", expiredCookies);
    },
  },
  {
    method: "GET",
    path: "/portal/api/sessions",
    for: "signed in",
    handle: async ({ signedIn }) => ok(await account.sessions(signedIn)),
  },
  {
    method: "DELETE",
    path: "/portal/api/sessions",
    for: "signed in",
    handle: async ({ signedIn, by }) => done(`${await account.endOthers(signedIn, by)} other sessions ended`),
  },
  {
    method: "DELETE",
    path: "/portal/api/sessions/:id",
    for: "signed in",
    async handle({ signedIn, params, by }) {
      const path = readParameters(Object.entries(params));
      if (path.issues !== null) return invalid(...path.issues);
      const sessionId = Number(path.values.id);
      if (!(await account.endSession(signedIn, sessionId, by))) return notFound("session", sessionId);
      return done("Session ended", sessionId === signedIn.session.id ? expiredCookies : []);
    },
  },
];

const securityEndpoints = ({ account, reauthentication }: Parts): PortalEndpoint[] => [
  {
    method: "POST",
    path: "/portal/api/reauthenticate",
    for: "signed in",
    beforeSecondFactor: true,
    takesBody: true,
    hashes: true,
    handle: async ({ signedIn, body, by }) =>
      unlessFailed(await reauthentication.reauthenticate(signedIn, body, by), () => done("Proved once more")),
  },
  {
    method: "PUT",
    path: "/portal/api/password",
    for: "signed in",
    takesBody: true,
    hashes: true,
    handle: async ({ signedIn, body, by }) =>
      unlessFailed(await account.changePassword(signedIn, body, by), () =>
        done("Password changed; all other sessions ended"),
      ),
  },
  {
    method: "PUT",
    path: "/portal/api/email",
    for: "signed in",
    takesBody: true,
    hashes: true,
    handle: async ({ signedIn, body, by }) =>
      unlessFailed(await account.changeEmail(by, signedIn, body), ({ email }) => done(`You sign in as ${email} now`)),
  },
  {
    method: "POST",
    path: "/portal/api/second-factor",
    for: "signed in",
    beforeSecondFactor: true,
    takesBody: true,
    hashes: true,
    handle: async ({ signedIn, body, by }) => unlessFailed(await account.offerSecondFactor(signedIn, body, by), ok),
  },
  {
    method: "POST",
    path: "/portal/api/second-factor/confirm",
    for: "signed in",
    beforeSecondFactor: true,
    takesBody: true,
    hashes: true,
    handle: async ({ signedIn, body, client, by }) =>
      unlessFailed(await account.confirmSecondFactor(signedIn, { input: body, client, by }), ({ entry, codes }) =>
        ok({ recovery_codes: codes }, { cookies: entry.cookies }),
      ),
  },
  {
    method: "DELETE",
    path: "/portal/api/second-factor",
    for: "signed in",
    takesBody: true,
    hashes: true,
    handle: async ({ signedIn, body, by }) =>
      unlessFailed(await account.removeSecondFactor(signedIn, body, by), () => done("Second factor removed")),
  },
  {
    method: "POST",
    path: "/portal/api/second-factor/recovery-codes",
    for: "signed in",
    takesBody: true,
    hashes: true,
    handle: async ({ signedIn, body, by }) =>
      unlessFailed(await account.renewRecoveryCodes(signedIn, body, by), (codes) => ok({ recovery_codes: codes })),
  },
];

/** The endpoints for a user's own account. Every user may use them, whatever their permissions. */
export const ownAccountEndpoints = (parts: Parts): PortalEndpoint[] => [
  ...sessionEndpoints(parts),
  ...securityEndpoints(parts),
];
