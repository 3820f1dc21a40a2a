import { type HourlyLimits, hourlySubject } from "../access/hourly-limits.ts";
import { type Actor, isSuperAdmin, type Powers } from "../access/principal.ts";
import { Failure } from "../failure.ts";
import { EMAIL_TAKEN, type UserRefusal, type UserRepository } from "./user-repository.ts";

/** The maximum number of address conflicts that a caller learns of in an hour. */
const CONFLICTS_PER_HOUR = 20;

const tooOften = (retrySeconds: number): Failure =>
  new Failure({
    kind: "too-often",
    reason: `You have sent ${CONFLICTS_PER_HOUR} addresses in an hour that other users have; wait before you send another`,
    retrySeconds,
  });

/** Callers have powers; the command line and the service have none. */
type Caller = Actor & Partial<Pick<Powers, "association" | "role">>;

/** True for a caller who may see all users anyway. */
const seesEverybody = ({ association = "user", role = null }: Caller): boolean => isSuperAdmin({ association, role });

/** Requests with a user's keys count for the user. `null` for callers without a limit. */
const limitSubjectOf = (by: Caller): string | null => {
  if (seesEverybody(by)) return null;
  return by.userId === null
    ? hourlySubject("email-conflicts", by)
    : hourlySubject("email-conflicts", { ...by, keyId: null });
};

/**
 * A conflict reveals that somebody, perhaps of another dealer, has an account with an address. So the number of
 * conflicts that a caller learns of is limited. Beyond it, all addresses are refused, whether taken or not. Super-admins
 * see all users, and may send a list of staff again.
 */
export const limitConflicts = (users: UserRepository, hourly: HourlyLimits): UserRepository => {
  /** Runs a change, which is told how long its caller must wait before another address. */
  const limited = async <Result>(
    by: Actor,
    change: (waitSeconds: number) => Promise<Result | UserRefusal>,
  ): Promise<Result | UserRefusal> => {
    const subject = limitSubjectOf(by);
    if (subject === null) return change(0);
    const result = await change(await hourly.waitOf(subject, CONFLICTS_PER_HOUR));
    if (result !== EMAIL_TAKEN) return result;
    const retrySeconds = await hourly.take(subject, CONFLICTS_PER_HOUR);
    return retrySeconds === 0 ? result : tooOften(retrySeconds);
  };
  return {
    ...users,
    insert: (user, now, by) =>
      limited(by, async (waitSeconds) => (waitSeconds > 0 ? tooOften(waitSeconds) : users.insert(user, now, by))),
    change: (context, decide) =>
      limited(context.by, (waitSeconds) =>
        users.change(context, (user, keys) => {
          const decided = decide(user, keys);
          if (decided instanceof Failure || waitSeconds === 0 || decided.fields.email === user.email) return decided;
          return tooOften(waitSeconds);
        }),
      ),
  };
};
