import Type from "typebox";
import { admit } from "../access/decide.ts";
import type { Role } from "../access/permissions.ts";
import type { Actor, Principal } from "../access/principal.ts";
import { onlyHigherRankReactivates, rankOf } from "../access/rules/only-higher-rank-reactivates.ts";
import { refuseUnproved } from "../access/rules/recent-proof.ts";
import type { Clock, Timestamp } from "../clock.ts";
import { Failure, invalid, notFound, type Outcome } from "../failure.ts";
import type { Issue } from "../issues.ts";
import { reachOfKey, reachOfUser, refuseMore, refuseUser, sightOfUsers } from "../keys/delegation.ts";
import type { KeyRecord } from "../keys/key.ts";
import type { KeyRepository } from "../keys/key-repository.ts";
import { keysOfUser } from "../keys/keys-of-user.ts";
import { undisturbed } from "../reach.ts";
import { id, oneOf } from "../schema.ts";
import { validator } from "../validation.ts";
import type { UserRecord } from "./user.ts";
import { LAST_SUPER_ADMIN, type UserRepository } from "./user-repository.ts";

/** Body of POST /portal/api/users/:id/leave. */
export const Leaving = Type.Object({
  keys: oneOf(["revoke", "transfer"], { description: "What happens to the user's keys." }),
  to_user_id: Type.Optional(id({ description: "Who gets the keys; with transfer only." })),
});
const leaving = validator(Leaving);

/** A user who leaves, and what was seen of them: if any of it has changed meanwhile, nothing is done. */
export interface Departure {
  readonly user: UserRecord;
  readonly keys: readonly KeyRecord[];
  /** Who gets the keys; `null` revokes them. */
  readonly heir: UserRecord | null;
  /** The rank of who ends it all. */
  readonly rank: Role;
}

export interface DepartureRepository {
  /** Deactivates, and revokes or transfers every key, all in one transaction; `null` when something is not as seen. */
  depart(departure: Departure, now: Timestamp, by: Actor): Promise<true | null | typeof LAST_SUPER_ADMIN | Failure>;
}

interface Ports {
  readonly users: Pick<UserRepository, "find">;
  readonly keys: Pick<KeyRepository, "list">;
  readonly departures: DepartureRepository;
  readonly clock: Clock;
}

const formIssues = ({ keys, to_user_id }: Readonly<Record<string, unknown>>): Issue[] => {
  if (keys === "transfer" && to_user_id === undefined)
    return [{ path: "to_user_id", message: "is required to transfer keys" }];
  if (keys === "revoke" && to_user_id !== undefined)
    return [{ path: "to_user_id", message: "must not be sent when keys are revoked" }];
  return [];
};

/** What becomes of a user's access when the user leaves: done as a whole, or refused as a whole. */
export const makeLeaving = ({ users, keys, departures, clock }: Ports) => {
  /** The one who gets the keys: in sight and active. */
  const heirOf = async (principal: Principal, user: UserRecord, heirId: number): Promise<Outcome<UserRecord>> => {
    const heir = await users.find(heirId, sightOfUsers(principal));
    if (heir === null) return invalid({ path: "to_user_id", message: `user ${heirId} does not exist` });
    if (heir.id === user.id) return invalid({ path: "to_user_id", message: "must be another user" });
    if (!heir.active) return invalid({ path: "to_user_id", message: `user ${heirId} is not active` });
    return refuseUser(principal, heir.id, heir) ?? heir;
  };

  /** Every key is changed here as it would be one by one: neither before nor after may it do more than the caller. */
  const refuseKeys = (principal: Principal, { user, keys: held, heir, rank }: Departure): Failure | null => {
    if (held.length === 0) return null;
    const refused =
      admit(principal, heir === null ? "key.revoke" : "key.update") ??
      // Keys of a user who was ended work again when somebody else has them.
      (heir === null ? null : onlyHigherRankReactivates(rank, user));
    if (refused !== null) return refused;
    for (const key of held) {
      const tooStrong =
        refuseMore(principal, reachOfKey(key)) ??
        (heir === null ? null : refuseMore(principal, reachOfKey({ ...key, userId: heir.id, holder: heir })));
      if (tooStrong !== null) return tooStrong;
    }
    return null;
  };

  return {
    async leave(principal: Principal, userId: number, input: unknown): Promise<Outcome<Departure>> {
      const refused = admit(principal, "user.leave");
      if (refused !== null) return refused;
      const body = leaving.parse(input, formIssues);
      if (body instanceof Failure) return body;
      return undisturbed(async (): Promise<Outcome<Departure> | null> => {
        const user = await users.find(userId, sightOfUsers(principal));
        if (user === null) return notFound("user", userId);
        const tooStrong = refuseMore(principal, reachOfUser(user));
        if (tooStrong !== null) return tooStrong;
        const heir = body.to_user_id === undefined ? null : await heirOf(principal, user, body.to_user_id);
        if (heir instanceof Failure) return heir;
        const departure: Departure = { user, keys: await keysOfUser(keys, user.id), heir, rank: rankOf(principal) };
        const keysRefused = refuseKeys(principal, departure);
        if (keysRefused !== null) return keysRefused;
        const unproved = refuseUnproved(principal, "user.leave", reachOfUser(user), heir && reachOfUser(heir));
        if (unproved !== null) return unproved;
        const departed = await departures.depart(departure, clock.now(), principal);
        if (departed instanceof Failure) return departed;
        if (departed === LAST_SUPER_ADMIN) return new Failure({ kind: "last-super-admin" });
        return departed && departure;
      });
    },
  };
};

export type LeavingUsers = ReturnType<typeof makeLeaving>;
