import { authorityOfKey } from "../access/authority.ts";
import type { Principal } from "../access/principal.ts";
import { keysNetworksAreNotWidened } from "../access/rules/keys-networks-are-not-widened.ts";
import { nobodyHandsOutMoreThanTheyHold } from "../access/rules/nobody-hands-out-more-than-they-hold.ts";
import { sensitiveChangesNeedRecentProof } from "../access/rules/sensitive-changes-need-recent-proof.ts";
import { useCase } from "../access/use-case.ts";
import { visibilityOfKeys } from "../access/visibility.ts";
import type { Clock } from "../clock.ts";
import { Failure, notFound, type Outcome } from "../failure.ts";
import { retryOnConflict } from "../retry.ts";
import { type KeyRecord, rotation } from "./key.ts";
import type { KeyRepository } from "./key-repository.ts";
import type { IssuedKey, Secrets } from "./secrets.ts";

interface Ports {
  readonly keys: Pick<KeyRepository, "find" | "rotate" | "endGrace">;
  readonly secrets: Secrets;
  readonly clock: Clock;
}

/** Replaces the secrets of keys. */
export const makeRotation = ({ keys, secrets, clock }: Ports) => {
  const find = async (principal: Principal, id: number): Promise<Outcome<KeyRecord>> =>
    (await keys.find(id, visibilityOfKeys(principal))) ?? notFound("key", id);

  return {
    /** Gives the key a new secret. The previous one works for `grace_seconds` more, but not after the key's expiry. */
    rotate: useCase("key.rotate", async (principal, id: number, input: unknown): Promise<Outcome<IssuedKey>> => {
      const body = rotation.parse(input === undefined ? {} : input);
      if (body instanceof Failure) return body;
      return retryOnConflict(async (): Promise<Outcome<IssuedKey> | null> => {
        const key = await find(principal, id);
        if (key instanceof Failure) return key;
        const authority = authorityOfKey(key);
        const refused =
          nobodyHandsOutMoreThanTheyHold(principal, authority) ??
          keysNetworksAreNotWidened(principal, key.allowedNetworks) ??
          sensitiveChangesNeedRecentProof(principal, "key.rotate", { before: authority, after: authority });
        if (refused !== null) return refused;
        const secret = secrets.issue(key.appType, key.appId);
        // A key that has ended gets no grace period: otherwise the old secret would work again after a reactivation.
        const isEnded = !key.active || key.holder?.active === false;
        const graceEnds = clock.after(isEnded ? 0 : (body.grace_seconds ?? 0));
        const endsAt = key.expiresAt !== null && key.expiresAt < graceEnds ? key.expiresAt : graceEnds;
        const record = await keys.rotate({
          seen: key,
          visibility: visibilityOfKeys(principal),
          secret,
          previousEndsAt: endsAt,
          now: clock.now(),
          by: principal,
        });
        return record === null ? null : { record, apiKey: secret.key };
      });
    }),

    /**
     * Ends the old secret of a rotated key at once. If no old secret works, it changes nothing, and that is no error.
     */
    endGrace: useCase("key.end-grace", async (principal, id: number): Promise<Outcome<KeyRecord>> => {
      return retryOnConflict(async (): Promise<Outcome<KeyRecord> | null> => {
        const key = await find(principal, id);
        if (key instanceof Failure) return key;
        const authority = authorityOfKey(key);
        const refused =
          nobodyHandsOutMoreThanTheyHold(principal, authority) ??
          sensitiveChangesNeedRecentProof(principal, "key.end-grace", { before: authority, after: authority });
        if (refused !== null) return refused;
        return keys.endGrace({
          seen: key,
          visibility: visibilityOfKeys(principal),
          now: clock.now(),
          by: principal,
        });
      });
    }),
  };
};
