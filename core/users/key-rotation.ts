import { admit } from "../access/decide.ts";
import type { Principal } from "../access/principal.ts";
import { Failure, type Outcome } from "../failure.ts";
import { reachOfKey, refuseMore, refuseUser } from "../keys/delegation.ts";
import type { KeyRepository } from "../keys/key-repository.ts";
import { keysOfUser } from "../keys/keys-of-user.ts";
import type { KeyRotation, Secrets } from "../keys/secrets.ts";
import type { UserRecord } from "./user.ts";
import type { UserFields } from "./user-repository.ts";

/**
 * New secrets for all keys of a user who becomes `after`; or why the caller may not have them: as one by one, neither
 * before nor after may a key do more than the caller can.
 */
export const rotationOfKeys = async (
  principal: Principal,
  { keys, secrets }: { readonly keys: Pick<KeyRepository, "list">; readonly secrets: Secrets },
  user: UserRecord,
  after: UserFields,
): Promise<Outcome<KeyRotation[]>> => {
  const refused = admit(principal, "key.rotate") ?? refuseUser(principal, user.id, user);
  if (refused !== null) return refused;
  const rotations: KeyRotation[] = [];
  for (const key of await keysOfUser(keys, user.id)) {
    const tooStrong =
      refuseMore(principal, reachOfKey(key)) ?? refuseMore(principal, reachOfKey({ ...key, holder: after }));
    if (tooStrong instanceof Failure) return tooStrong;
    rotations.push({ key, secret: secrets.issue(key.appType, key.appId) });
  }
  return rotations;
};
