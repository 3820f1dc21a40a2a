import { authorityOfKey } from "../access/authority.ts";
import { admit } from "../access/decide.ts";
import type { Principal } from "../access/principal.ts";
import { callerMustManageUserOfKey } from "../access/rules/caller-must-manage-user-of-key.ts";
import { keysNetworksAreNotWidened } from "../access/rules/keys-networks-are-not-widened.ts";
import { nobodyHandsOutMoreThanTheyHold } from "../access/rules/nobody-hands-out-more-than-they-hold.ts";
import { sensitiveChangesNeedRecentProof } from "../access/rules/sensitive-changes-need-recent-proof.ts";
import type { Outcome } from "../failure.ts";
import type { KeyRepository } from "../keys/key-repository.ts";
import { keysOfUser } from "../keys/keys-of-user.ts";
import type { KeyRotation, Secrets } from "../keys/secrets.ts";
import type { UserRecord } from "./user.ts";
import type { UserFields } from "./user-repository.ts";

/**
 * New secrets for all keys of a user whose fields become `after`, or the failure of the caller. The same rules apply as
 * for rotating each key alone.
 */
export const rotationOfKeys = async (
  principal: Principal,
  { keys, secrets }: { readonly keys: Pick<KeyRepository, "list">; readonly secrets: Secrets },
  { user, after }: { readonly user: UserRecord; readonly after: UserFields },
): Promise<Outcome<KeyRotation[]>> => {
  const refused = admit(principal, "key.rotate") ?? callerMustManageUserOfKey(principal, user.id, user);
  if (refused !== null) return refused;
  const rotations: KeyRotation[] = [];
  for (const key of await keysOfUser(keys, user.id)) {
    const change = { before: authorityOfKey(key), after: authorityOfKey({ ...key, holder: after }) };
    const refused =
      nobodyHandsOutMoreThanTheyHold(principal, change.before) ??
      nobodyHandsOutMoreThanTheyHold(principal, change.after) ??
      keysNetworksAreNotWidened(principal, key.allowedNetworks) ??
      sensitiveChangesNeedRecentProof(principal, "key.rotate", change);
    if (refused !== null) return refused;
    rotations.push({ key, secret: secrets.issue(key.appType, key.appId) });
  }
  return rotations;
};
