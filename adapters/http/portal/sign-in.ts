import Type from "typebox";
import { Failure, invalid, type Outcome } from "../../../core/failure.ts";
import { email, text } from "../../../core/schema.ts";
import type { Proof, SignInResult } from "../../../core/sign-in/authenticator.ts";
import type { Invitations } from "../../../core/sign-in/invitations.ts";
import type { SignIn } from "../../../core/sign-in/sign-in.ts";
import { validator } from "../../../core/validation.ts";
import { nullable } from "../api/answers.ts";
import { type Answer, ok } from "../protocol/route.ts";
import { PASSWORD_EXAMPLE, type PortalEndpoint, secret } from "./endpoint.ts";

const Credentials = Type.Object({ email: secret(), password: secret() });
const credentials = validator(Credentials);
const SecondFactorProof = Type.Object({
  code: Type.Optional(text(1, 100)),
  recovery_code: Type.Optional(text(1, 100)),
});
const proofs = validator(SecondFactorProof);

const TokenParams = Type.Object({ token: Type.String({ description: "The token in the link of the invitation." }) });
const EntryAnswer = Type.Object(
  { second_factor: Type.Boolean({ description: "True if the second factor is still required." }) },
  { title: "Entry" },
);

const proofOf = (input: unknown): Outcome<Proof> => {
  const body = proofs.parse(input);
  if (body instanceof Failure) return body;
  if (body.code !== undefined && body.recovery_code === undefined) return { code: body.code.replaceAll(/\s/g, "") };
  if (body.recovery_code !== undefined && body.code === undefined) return { recoveryCode: body.recovery_code };
  return invalid({ path: "code", message: "is required, or recovery_code in its place" });
};

const answerEntry = (entry: Outcome<SignInResult>): Outcome<Answer> =>
  entry instanceof Failure ? entry : ok({ second_factor: entry.needsSecondFactor }, { cookies: entry.cookies });

/** Endpoints for clients that are not signed in: signing in, and invitations. */
export const signInEndpoints = (signIn: SignIn, invitations: Invitations): PortalEndpoint[] => [
  {
    method: "POST",
    path: "/portal/api/sign-in",
    name: "signIn",
    summary: "Sign in with a password",
    answer: EntryAnswer,
    body: {
      name: "Credentials",
      schema: Credentials,
      example: { email: "robin@example.com", ...PASSWORD_EXAMPLE },
    },
    errors: ["sign_in_failed", "locked_out"],
    for: "anybody",
    limit: "sign-in",
    knowsDevices: true,
    hashes: true,
    async handle({ body, client }) {
      const parsed = credentials.parse(body);
      return parsed instanceof Failure ? parsed : answerEntry(await signIn.signIn(parsed, client));
    },
  },
  {
    method: "POST",
    path: "/portal/api/sign-in/second-factor",
    name: "proveSecondFactor",
    summary: "Finish signing in with a code or a recovery code",
    answer: EntryAnswer,
    body: {
      name: "SecondFactorProof",
      schema: SecondFactorProof,
      example: { code: "123456" },
    },
    errors: ["sign_in_failed", "locked_out"],
    for: "anybody",
    limit: "second-factor",
    knowsDevices: true,
    hashes: true,
    async handle({ body, client }) {
      const proof = proofOf(body);
      return proof instanceof Failure ? proof : answerEntry(await signIn.prove(proof, client));
    },
  },
  {
    method: "GET",
    path: "/portal/api/invitations/:token",
    name: "describeInvitation",
    summary: "Read who an invitation is for",
    params: TokenParams,
    answer: Type.Object(
      {
        kind: Type.String({ enum: ["first", "invitation"] }),
        name: nullable(Type.String()),
        email: nullable(Type.String()),
        expires_at: Type.String({ format: "date-time" }),
      },
      { title: "InvitationDescription" },
    ),
    errors: ["not_found", "rate_limit_exceeded"],
    for: "anybody",
    limit: "invitation",
    async handle({ params }) {
      const described = await invitations.describe(params.token ?? "");
      return described instanceof Failure ? described : ok(described);
    },
  },
  {
    method: "POST",
    path: "/portal/api/invitations/:token",
    name: "acceptInvitation",
    summary: "Set a password and sign in",
    params: TokenParams,
    answer: EntryAnswer,
    body: {
      name: "Acceptance",
      schema: Type.Object({ password: secret(), name: Type.Optional(text(1, 100)), email: Type.Optional(email()) }),
      example: PASSWORD_EXAMPLE,
    },
    errors: ["not_found", "email_taken", "rate_limit_exceeded"],
    for: "anybody",
    limit: "invitation",
    hashes: true,
    handle: async ({ params, body, client }) => answerEntry(await invitations.accept(params.token ?? "", body, client)),
  },
];
