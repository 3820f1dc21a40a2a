import type { Principal } from "../../../core/access/principal.ts";
import type { Outcome } from "../../../core/failure.ts";
import type { Client } from "../../../core/sign-in/authenticator.ts";
import type { SignedIn } from "../../../core/sign-in/sessions.ts";
import type { Answer, Method } from "../protocol/route.ts";
import type { OpenLimit } from "../server/open-limits.ts";

/** What an endpoint gets: checked as far as it can be without knowing what is asked. */
interface Call {
  readonly client: Client;
  readonly params: Readonly<Record<string, string>>;
  /** Parsed JSON; `undefined` where the endpoint takes none. */
  readonly body: unknown;
}

/** What an endpoint of a user's own account gets besides. */
interface OwnCall extends Call {
  readonly signedIn: SignedIn;
  /** The user, as who makes the change. */
  readonly by: Principal;
}

interface EndpointDefinition {
  readonly method: Method;
  readonly path: `/portal/api/${string}` | "/portal/openapi.json";
  readonly takesBody?: boolean;
  /** True for what makes or compares password hashes. */
  readonly hashes?: boolean;
}

/** An endpoint for those who are not signed in. */
export interface OpenEndpoint extends EndpointDefinition {
  readonly for: "anybody";
  readonly limit: OpenLimit;
  /** True where a browser that signed in before has attempts of its own. */
  readonly knowsDevices?: boolean;
  readonly handle: (call: Call) => Promise<Outcome<Answer>>;
}

/** An endpoint of a user's own account. */
export interface OwnEndpoint extends EndpointDefinition {
  readonly for: "signed in";
  /** True for what is open to a user who has to set up a second factor before anything else. */
  readonly beforeSecondFactor?: boolean;
  readonly handle: (call: OwnCall) => Promise<Outcome<Answer>>;
}

/** An endpoint that is not a route of the policy's: it is about who is asking, not about a record. */
export type PortalEndpoint = OpenEndpoint | OwnEndpoint;
