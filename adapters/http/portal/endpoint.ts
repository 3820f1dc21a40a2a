import Type, { type TObject, type TSchema } from "typebox";
import type { Principal } from "../../../core/access/principal.ts";
import type { Outcome } from "../../../core/failure.ts";
import { text } from "../../../core/schema.ts";
import type { Client } from "../../../core/sign-in/authenticator.ts";
import type { SignedIn } from "../../../core/sign-in/sessions.ts";
import type { ErrorCode } from "../protocol/problem.ts";
import type { Answer, Method } from "../protocol/route.ts";
import type { OpenLimit } from "../server/open-limits.ts";

/** The arguments of an endpoint. All checks that do not depend on the use case were made. */
interface Call {
  readonly client: Client;
  readonly params: Readonly<Record<string, string>>;
  /** Parsed JSON; `undefined` if the endpoint takes no body. */
  readonly body: unknown;
}

/** The additional arguments of an endpoint for a user's own account. */
interface OwnCall extends Call {
  readonly signedIn: SignedIn;
  /** The user as the actor of the change. */
  readonly by: Principal;
}

interface EndpointDefinition {
  readonly method: Method;
  readonly path: `/portal/api/${string}` | "/portal/openapi.json";
  /** What it is called in the document of the portal, where everything up to `errors` is described. */
  readonly name: string;
  readonly summary: string;
  readonly answer: TSchema;
  readonly params?: TObject;
  /** The JSON that it takes, if it takes any. The use case checks it. */
  readonly body?: { readonly name: string; readonly schema: TObject; readonly example: object };
  readonly errors?: readonly ErrorCode[];
  /** True if it creates or compares password hashes. */
  readonly hashes?: boolean;
}

/** An endpoint for clients that are not signed in. */
export interface OpenEndpoint extends EndpointDefinition {
  readonly for: "anybody";
  readonly limit: OpenLimit;
  /** True if a browser that signed in before has its own attempts. */
  readonly knowsDevices?: boolean;
  readonly handle: (call: Call) => Promise<Outcome<Answer>>;
}

/** An endpoint of a user's own account. */
export interface OwnEndpoint extends EndpointDefinition {
  readonly for: "signed in";
  /** True if it is open to users who must first set up a second factor. */
  readonly beforeSecondFactor?: boolean;
  readonly handle: (call: OwnCall) => Promise<Outcome<Answer>>;
}

/** An endpoint that is not one of the policy's routes, because it concerns the caller and not a record. */
export type PortalEndpoint = OpenEndpoint | OwnEndpoint;

/** A password or a code as it is sent. Only its length is limited: any other value is right or wrong. */
export const secret = () => text(1, 1000);

/** A password as examples of the document have it. */
export const PASSWORD_EXAMPLE = { password: "correct horse battery staple" } as const;

/** The body of what needs nothing but the password. */
export const WITH_PASSWORD = {
  name: "WithPassword",
  schema: Type.Object({ password: secret() }),
  example: PASSWORD_EXAMPLE,
} as const;
