import { type Actor, SERVICE } from "../access/principal.ts";
import type { UserRecord } from "../users/user.ts";
import type { Client } from "./authenticator.ts";

/** The client as an actor. `user` is `null` before sign-in, when no user is known. */
export const clientActor = (client: Client, user: UserRecord | null): Actor => ({
  ...SERVICE,
  name: user?.name ?? "Somebody",
  userId: user?.id ?? null,
  via: "portal",
  address: client.address,
  requestId: client.requestId,
});
