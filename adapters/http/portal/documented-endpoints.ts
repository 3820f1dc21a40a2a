import Type, { type TObject, type TSchema } from "typebox";
import { email, id, text } from "../../../core/schema.ts";
import { DoneAnswer, nullable } from "../api/answers.ts";
import { UserAnswer } from "../api/users.ts";
import type { ErrorCode } from "../protocol/problem.ts";
import { SessionsAnswer } from "./accounts.ts";

const dateTime = Type.String({ format: "date-time" });
const secret = () => text(1, 1000);
const code = () => text(1, 100);

const WithPassword = Type.Object({ password: secret() });
const EntryAnswer = Type.Object(
  { second_factor: Type.Boolean({ description: "True if the second factor is still required." }) },
  { title: "Entry" },
);
const RecoveryCodesAnswer = Type.Object({ recovery_codes: Type.Array(Type.String()) }, { title: "RecoveryCodes" });

const TokenParams = Type.Object({ token: Type.String({ description: "The token in the link of the invitation." }) });
const SessionParams = Type.Object({ id: id({ description: "The id of the session." }) });

interface EndpointDocumentation {
  readonly name: string;
  readonly summary: string;
  readonly answer: TSchema;
  readonly params?: TObject;
  readonly body?: readonly [name: string, schema: TObject, example: object];
  readonly errors?: readonly ErrorCode[];
}

const PASSWORD_BODY = ["WithPassword", WithPassword, { password: "correct horse battery staple" }] as const;

/** The documentation of the endpoints for signing in and for one's own account. */
export const ENDPOINT_DOCUMENTATION: Readonly<Record<string, EndpointDocumentation>> = {
  "POST /portal/api/sign-in": {
    name: "signIn",
    summary: "Sign in with a password",
    answer: EntryAnswer,
    body: [
      "Credentials",
      Type.Object({ email: secret(), password: secret() }),
      { email: "robin@example.com", ...PASSWORD_BODY[2] },
    ],
    errors: ["sign_in_failed", "locked_out"],
  },
  "POST /portal/api/sign-in/second-factor": {
    name: "proveSecondFactor",
    summary: "Finish signing in with a code or a recovery code",
    answer: EntryAnswer,
    body: [
      "SecondFactorProof",
      Type.Object({ code: Type.Optional(code()), recovery_code: Type.Optional(code()) }),
      { code: "123456" },
    ],
    errors: ["sign_in_failed", "locked_out"],
  },
  "GET /portal/api/invitations/:token": {
    name: "describeInvitation",
    summary: "Read who an invitation is for",
    params: TokenParams,
    answer: Type.Object(
      {
        kind: Type.String({ enum: ["first", "invitation"] }),
        name: nullable(Type.String()),
        email: nullable(Type.String()),
        expires_at: dateTime,
      },
      { title: "InvitationDescription" },
    ),
    errors: ["not_found", "rate_limit_exceeded"],
  },
  "POST /portal/api/invitations/:token": {
    name: "acceptInvitation",
    summary: "Set a password and sign in",
    params: TokenParams,
    answer: EntryAnswer,
    body: [
      "Acceptance",
      Type.Object({ password: secret(), name: Type.Optional(text(1, 100)), email: Type.Optional(email()) }),
      PASSWORD_BODY[2],
    ],
    errors: ["not_found", "email_taken", "rate_limit_exceeded"],
  },
  "GET /portal/api/branding": {
    name: "getBranding",
    summary: "Read the installation's name and logo",
    answer: Type.Object({ name: Type.String(), logo: nullable(Type.String()) }, { title: "Branding" }),
    errors: ["rate_limit_exceeded"],
  },
  "GET /portal/api/session": {
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
  },
  "POST /portal/api/sign-out": { name: "signOut", summary: "Sign out", answer: DoneAnswer },
  "GET /portal/api/sessions": {
    name: "listOwnSessions",
    summary: "List the user's own sessions",
    answer: SessionsAnswer,
  },
  "DELETE /portal/api/sessions": { name: "endOtherSessions", summary: "End all other sessions", answer: DoneAnswer },
  "DELETE /portal/api/sessions/:id": {
    name: "endOwnSession",
    summary: "End one session",
    params: SessionParams,
    answer: DoneAnswer,
    errors: ["invalid_input", "not_found"],
  },
  "POST /portal/api/reauthenticate": {
    name: "reauthenticate",
    summary: "Prove the user's identity again, with the password or a code",
    answer: DoneAnswer,
    body: [
      "Reauthentication",
      Type.Object({ password: Type.Optional(secret()), code: Type.Optional(code()) }),
      PASSWORD_BODY[2],
    ],
    errors: ["locked_out"],
  },
  "PUT /portal/api/password": {
    name: "changePassword",
    summary: "Change the password and end all other sessions",
    answer: DoneAnswer,
    body: [
      "PasswordChange",
      Type.Object({ current_password: secret(), new_password: secret() }),
      { current_password: PASSWORD_BODY[2].password, new_password: "another horse battery staple" },
    ],
    errors: ["locked_out"],
  },
  "PUT /portal/api/email": {
    name: "changeEmail",
    summary: "Change the email address for signing in",
    answer: DoneAnswer,
    body: [
      "EmailChange",
      Type.Object({ email: email(), password: secret() }),
      { email: "robin@example.com", ...PASSWORD_BODY[2] },
    ],
    errors: ["locked_out", "permission_missing", "email_taken", "reauthentication_required"],
  },
  "POST /portal/api/second-factor": {
    name: "offerSecondFactor",
    summary: "Get a secret for an authenticator app",
    answer: Type.Object({ secret: Type.String(), uri: Type.String({ format: "uri" }) }, { title: "SecondFactorOffer" }),
    body: PASSWORD_BODY,
    errors: ["locked_out"],
  },
  "POST /portal/api/second-factor/confirm": {
    name: "confirmSecondFactor",
    summary: "Switch the second factor on",
    answer: RecoveryCodesAnswer,
    body: ["WithCode", Type.Object({ code: secret() }), { code: "123456" }],
    errors: ["locked_out", "sign_in_failed"],
  },
  "DELETE /portal/api/second-factor": {
    name: "removeSecondFactor",
    summary: "Switch the second factor off",
    answer: DoneAnswer,
    body: PASSWORD_BODY,
    errors: ["locked_out"],
  },
  "POST /portal/api/second-factor/recovery-codes": {
    name: "renewRecoveryCodes",
    summary: "Get new recovery codes, which replace the old ones",
    answer: RecoveryCodesAnswer,
    body: PASSWORD_BODY,
    errors: ["locked_out"],
  },
  "GET /portal/openapi.json": {
    name: "getPortalDocument",
    summary: "Read this document",
    answer: Type.Object({}),
    errors: ["exceeds_your_rights"],
  },
};
