import type { Principal } from "../../../core/access/principal.ts";
import type { Outcome } from "../../../core/failure.ts";
import type { Client } from "../../../core/sign-in/authenticator.ts";
import type { SignedIn } from "../../../core/sign-in/sessions.ts";
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
  readonly takesBody?: boolean;
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
