import Type from "typebox";
import { Failure, invalid, type Outcome } from "../../../core/failure.ts";
import { text } from "../../../core/schema.ts";
import type { Proof, SignInResult } from "../../../core/sign-in/authenticator.ts";
import type { Invitations } from "../../../core/sign-in/invitations.ts";
import type { SignIn } from "../../../core/sign-in/sign-in.ts";
import { validator } from "../../../core/validation.ts";
import { type Answer, ok } from "../protocol/route.ts";
import type { PortalEndpoint } from "./endpoint.ts";

// Only the length is limited. Any other value is a credential, whether right or wrong.
const credentials = validator(Type.Object({ email: text(1, 1000), password: text(1, 1000) }));
const proofs = validator(
  Type.Object({ code: Type.Optional(text(1, 100)), recovery_code: Type.Optional(text(1, 100)) }),
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
    for: "anybody",
    limit: "sign-in",
    knowsDevices: true,
    takesBody: true,
    hashes: true,
    async handle({ body, client }) {
      const parsed = credentials.parse(body);
      return parsed instanceof Failure ? parsed : answerEntry(await signIn.signIn(parsed, client));
    },
  },
  {
    method: "POST",
    path: "/portal/api/sign-in/second-factor",
    for: "anybody",
    limit: "second-factor",
    knowsDevices: true,
    takesBody: true,
    hashes: true,
    async handle({ body, client }) {
      const proof = proofOf(body);
      return proof instanceof Failure ? proof : answerEntry(await signIn.prove(proof, client));
    },
  },
  {
    method: "GET",
    path: "/portal/api/invitations/:token",
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
    for: "anybody",
    limit: "invitation",
    takesBody: true,
    hashes: true,
    handle: async ({ params, body, client }) => answerEntry(await invitations.accept(params.token ?? "", body, client)),
  },
];
