import { userRoutes } from "../../adapters/http/api/users.ts";
import { secrets } from "../../adapters/system/secrets.ts";
import type { Names } from "../../core/names/names.ts";
import { makeUsers } from "../../core/users/users.ts";
import type { Feature } from "./feature.ts";
import type { Shared } from "./shared.ts";

/** The people who sign in, or have keys. */
export const wireUsers = (shared: Shared, names: Names) => {
  const users = makeUsers({ users: shared.users, dealers: shared.dealers, secrets, clock: shared.clock });
  return { uses: { users }, routes: () => userRoutes(users, names) } satisfies Feature;
};
