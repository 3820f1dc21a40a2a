import { authorityOfKey } from "../access/authority.ts";
import { admit } from "../access/decide.ts";
import type { Principal } from "../access/principal.ts";
import { callerMustManageUserOfKey } from "../access/rules/caller-must-manage-user-of-key.ts";
import { keysNetworksAreNotWidened } from "../access/rules/keys-networks-are-not-widened.ts";
import { nobodyHandsOutMoreThanTheyHold } from "../access/rules/nobody-hands-out-more-than-they-hold.ts";
import { sensitiveChangesNeedRecentProof } from "../access/rules/sensitive-changes-need-recent-proof.ts";
import type { Outcome } from "../failure.ts";
import type { KeyRecord } from "../keys/key.ts";
import type { KeyRotation, Secrets } from "../keys/secrets.ts";
import type { UserRecord } from "./user.ts";
import type { UserFields } from "./user-repository.ts";

/**
 * New secrets for all keys of a user whose fields become `after`, or the failure of the caller. The same rules apply as
 * for rotating each key alone.
 */
export const rotationsOfKeys = (
  principal: Principal,
  secrets: Pick<Secrets, "issue">,
  { user, keys, after }: { readonly user: UserRecord; readonly keys: readonly KeyRecord[]; readonly after: UserFields },
): Outcome<KeyRotation[]> => {
  const refused = admit(principal, "key.rotate") ?? callerMustManageUserOfKey(principal, user.id, user);
  if (refused !== null) return refused;
  const rotations: KeyRotation[] = [];
  for (const key of keys) {
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
