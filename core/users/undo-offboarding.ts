import { admit } from "../access/decide.ts";
import type { Principal } from "../access/principal.ts";
import { useCase } from "../access/use-case.ts";
import { type Visibility, visibilityOfUsers } from "../access/visibility.ts";
import { type Clock, msOf, type Timestamp, timestampAt } from "../clock.ts";
import { Failure, invalid, notFound, type Outcome } from "../failure.ts";
import type { KeyRecord } from "../keys/key.ts";
import { keyChanged } from "../keys/key-changes.ts";
import type { UserRecord } from "../users/user.ts";
import { userChanged } from "./user-changes.ts";
import type { UserChangeContext, UserFields } from "./user-repository.ts";

/** How a user left the last time. */
export interface Leave {
  readonly at: Timestamp;
  /** False if the user had been deactivated before. */
  readonly wasActive: boolean;
  /** The user who got the keys; `null` if they were revoked. */
  readonly newOwnerId: number | null;
  /** The keys that were revoked or transferred, as they were stored then. */
  readonly keys: readonly Pick<KeyRecord, "id" | "updatedAt">[];
}

/** A user who left, and those of the keys that still exist. */
interface Left {
  readonly user: UserRecord;
  readonly left: Leave | null;
  readonly keys: readonly KeyRecord[];
}

/** What an undone leave gives back. */
export interface Return {
  readonly user: UserRecord;
  readonly fields: UserFields;
  readonly keys: readonly { readonly before: KeyRecord; readonly after: KeyRecord }[];
  /** How many keys are not given back, because they were changed or deleted meanwhile. */
  readonly omitted: number;
}

export interface LeaveRepository {
  /** How a user left the last time; `null` if they never did, or if the caller does not see the user. */
  lastOf(id: number, visibility: Visibility): Promise<Leave | null>;
  /**
   * Gives a user and their keys back as `decide` says of what they are now. All of them stay locked, and all of it happens
   * or nothing. It cannot be done a second time. `null` if the caller does not see the user.
   */
  undo(change: UserChangeContext, decide: (present: Left) => Outcome<Return>): Promise<Outcome<Return> | null>;
}

interface Ports {
  readonly leaves: LeaveRepository;
  readonly users: {
    find(id: number, visibility: Visibility): Promise<UserRecord | null>;
    names(ids: readonly number[], visibility: Visibility): Promise<ReadonlyMap<number, string>>;
  };
  readonly clock: Clock;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Until when a leave can be undone: for a day. */
const undoneUntil = ({ at }: Leave): Timestamp => timestampAt(msOf(at) + DAY_MS);

/**
 * True unless somebody has changed the key since the leave. A new owner who has rotated it knows a secret that would act
 * for the user again.
 */
const isAsLeft = (key: KeyRecord, userId: number, { newOwnerId, keys }: Leave): boolean =>
  keys.some(({ id, updatedAt }) => id === key.id && updatedAt === key.updatedAt) &&
  (newOwnerId === null ? key.userId === userId && !key.active : key.userId === newOwnerId);

/**
 * What is given back to a user who left, or why the caller may not do that. The user and each key must pass the same rules
 * as if they were changed alone.
 */
export const userReturned = (principal: Principal, now: Timestamp, { user, left, keys }: Left): Outcome<Return> => {
  const plan = (present: UserRecord): Outcome<UserFields> =>
    left === null || undoneUntil(left) < now
      ? invalid({ path: "", message: "the user did not leave within the last day: there is nothing to undo" })
      : { ...present, active: present.active || left.wasActive };
  const returned = userChanged(principal, { operation: "user.return", plan }, { user, keys: [] });
  if (returned instanceof Failure) return returned;
  if (left === null) throw new Error("who never left cannot be given back");
  const holder = { ...user, ...returned.fields };
  const back = keys.filter((key) => isAsLeft(key, user.id, left));
  const refused = back.length === 0 ? null : admit(principal, "key.update");
  if (refused !== null) return refused;
  const changes: Return["keys"][number][] = [];
  for (const before of back) {
    const isMine = before.userId === user.id;
    const wanted = {
      operation: "key.update",
      plan: (key: KeyRecord) => (isMine ? { ...key, active: true } : { ...key, userId: user.id }),
    } as const;
    const fields = keyChanged(principal, wanted, { key: before, named: holder });
    if (fields instanceof Failure) return fields;
    changes.push({ before, after: { ...before, ...fields, holder, updatedAt: now } });
  }
  return { user, fields: returned.fields, keys: changes, omitted: left.keys.length - changes.length };
};

/** Says where the keys of a user who left went, and takes the leave back for a day. */
export const makeUndoOffboarding = ({ leaves, users, clock }: Ports) => ({
  /** How a user left the last time; `null` if they never did. The new owner is named to callers who see them. */
  read: useCase("user.left", async (principal, id: number) => {
    const visibility = visibilityOfUsers(principal);
    if ((await users.find(id, visibility)) === null) return notFound("user", id);
    const leave = await leaves.lastOf(id, visibility);
    if (leave === null) return { left: null };
    const { at, newOwnerId, keys } = leave;
    const name = newOwnerId === null ? undefined : (await users.names([newOwnerId], visibility)).get(newOwnerId);
    return {
      left: {
        at,
        keys: keys.length,
        transferred: newOwnerId !== null,
        new_owner_id: name === undefined ? null : newOwnerId,
        new_owner_name: name ?? null,
        undo_until: undoneUntil(leave),
      },
    };
  }),

  /** Gives a user who left, and their keys, back. */
  undo: useCase("user.return", async (principal, id: number): Promise<Outcome<Return>> => {
    const context = { id, visibility: visibilityOfUsers(principal), now: clock.now(), by: principal };
    const returned = await leaves.undo(context, (present) => userReturned(principal, context.now, present));
    return returned ?? notFound("user", id);
  }),
});

export type UndoOffboarding = ReturnType<typeof makeUndoOffboarding>;
