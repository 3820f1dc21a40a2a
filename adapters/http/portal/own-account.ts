import Type from "typebox";
import {
  type SecondFactorRule,
  usersMustSetUpSecondFactor,
} from "../../../core/access/rules/users-must-set-up-second-factor.ts";
import { invalid, notFound } from "../../../core/failure.ts";
import { email, id, text } from "../../../core/schema.ts";
import type { OwnAccount } from "../../../core/sign-in/own-account.ts";
import type { Reauthentication } from "../../../core/sign-in/reauthentication.ts";
import { presentUser } from "../../../core/users/user.ts";
import { DoneAnswer, nullable } from "../api/answers.ts";
import { UserAnswer } from "../api/users.ts";
import { parameterReader } from "../protocol/parameters.ts";
import { done, ok } from "../protocol/route.ts";
import { SessionsAnswer, unlessFailed } from "./accounts.ts";
import { PASSWORD_EXAMPLE, type PortalEndpoint, secret, WITH_PASSWORD } from "./endpoint.ts";

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

const SessionParams = Type.Object({ id: id({ description: "The id of the session." }) });
const readParameters = parameterReader(SessionParams, "ignored");

const RecoveryCodesAnswer = Type.Object({ recovery_codes: Type.Array(Type.String()) }, { title: "RecoveryCodes" });

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
    name: "getSession",
    summary: "Read who is signed in",
    answer: Type.Object(
      {
        user: UserAnswer,
        dealer: nullable(Type.Object({ id: id(), name: nullable(Type.String()) }, { title: "DealerOfUser" })),
        second_factor: Type.Boolean(),
        second_factor_required: Type.Boolean(),
        session_id: id(),
        recovery_codes_left: Type.Integer({ minimum: 0 }),
        version: Type.String(),
      },
      { title: "OwnSession" },
    ),
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
    name: "signOut",
    summary: "Sign out",
    answer: DoneAnswer,
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
    name: "listOwnSessions",
    summary: "List the user's own sessions",
    answer: SessionsAnswer,
    for: "signed in",
    handle: async ({ signedIn }) => ok(await account.sessions(signedIn)),
  },
  {
    method: "DELETE",
    path: "/portal/api/sessions",
    name: "endOtherSessions",
    summary: "End all other sessions",
    answer: DoneAnswer,
    for: "signed in",
    handle: async ({ signedIn, by }) => done(`${await account.endOthers(signedIn, by)} other sessions ended`),
  },
  {
    method: "DELETE",
    path: "/portal/api/sessions/:id",
    name: "endOwnSession",
    summary: "End one session",
    params: SessionParams,
    answer: DoneAnswer,
    errors: ["invalid_input", "not_found"],
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
    name: "reauthenticate",
    summary: "Prove the user's identity again, with the password or a code",
    answer: DoneAnswer,
    body: {
      name: "Reauthentication",
      schema: Type.Object({ password: Type.Optional(secret()), code: Type.Optional(text(1, 100)) }),
      example: PASSWORD_EXAMPLE,
    },
    errors: ["locked_out"],
    for: "signed in",
    beforeSecondFactor: true,
    hashes: true,
    handle: async ({ signedIn, body, by }) =>
      unlessFailed(await reauthentication.reauthenticate(signedIn, body, by), () => done("Proved once more")),
  },
  {
    method: "PUT",
    path: "/portal/api/password",
    name: "changePassword",
    summary: "Change the password and end all other sessions",
    answer: DoneAnswer,
    body: {
      name: "PasswordChange",
      schema: Type.Object({ current_password: secret(), new_password: secret() }),
      example: { current_password: PASSWORD_EXAMPLE.password, new_password: "another horse battery staple" },
    },
    errors: ["locked_out"],
    for: "signed in",
    hashes: true,
    handle: async ({ signedIn, body, by }) =>
      unlessFailed(await account.changePassword(signedIn, body, by), () =>
        done("Password changed; all other sessions ended"),
      ),
  },
  {
    method: "PUT",
    path: "/portal/api/email",
    name: "changeEmail",
    summary: "Change the email address for signing in",
    answer: DoneAnswer,
    body: {
      name: "EmailChange",
      schema: Type.Object({ email: email(), password: secret() }),
      example: { email: "robin@example.com", ...PASSWORD_EXAMPLE },
    },
    errors: ["locked_out", "permission_missing", "email_taken", "reauthentication_required"],
    for: "signed in",
    hashes: true,
    handle: async ({ signedIn, body, by }) =>
      unlessFailed(await account.changeEmail(by, signedIn, body), (changed) =>
        done(`You sign in as ${changed.email} now`),
      ),
  },
  {
    method: "POST",
    path: "/portal/api/second-factor",
    name: "offerSecondFactor",
    summary: "Get a secret for an authenticator app",
    answer: Type.Object({ secret: Type.String(), uri: Type.String({ format: "uri" }) }, { title: "SecondFactorOffer" }),
    body: WITH_PASSWORD,
    errors: ["locked_out"],
    for: "signed in",
    beforeSecondFactor: true,
    hashes: true,
    handle: async ({ signedIn, body, by }) => unlessFailed(await account.offerSecondFactor(signedIn, body, by), ok),
  },
  {
    method: "POST",
    path: "/portal/api/second-factor/confirm",
    name: "confirmSecondFactor",
    summary: "Switch the second factor on",
    answer: RecoveryCodesAnswer,
    body: { name: "WithCode", schema: Type.Object({ code: secret() }), example: { code: "123456" } },
    errors: ["locked_out", "sign_in_failed"],
    for: "signed in",
    beforeSecondFactor: true,
    hashes: true,
    handle: async ({ signedIn, body, client, by }) =>
      unlessFailed(await account.confirmSecondFactor(signedIn, { input: body, client, by }), ({ entry, codes }) =>
        ok({ recovery_codes: codes }, { cookies: entry.cookies }),
      ),
  },
  {
    method: "DELETE",
    path: "/portal/api/second-factor",
    name: "removeSecondFactor",
    summary: "Switch the second factor off",
    answer: DoneAnswer,
    body: WITH_PASSWORD,
    errors: ["locked_out"],
    for: "signed in",
    hashes: true,
    handle: async ({ signedIn, body, by }) =>
      unlessFailed(await account.removeSecondFactor(signedIn, body, by), () => done("Second factor removed")),
  },
  {
    method: "POST",
    path: "/portal/api/second-factor/recovery-codes",
    name: "renewRecoveryCodes",
    summary: "Get new recovery codes, which replace the old ones",
    answer: RecoveryCodesAnswer,
    body: WITH_PASSWORD,
    errors: ["locked_out"],
    for: "signed in",
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
