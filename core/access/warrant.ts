import type { Powers, Shown, Warrant } from "./principal.ts";

/** The warrant of who showed this and may do that. */
export const warrantOf = (shown: Shown, powers: Powers): Warrant => ({
  shown,
  association: powers.association,
  permissions: powers.permissions,
  dealerId: powers.dealerId,
  userId: powers.userId,
  role: powers.role,
  rateLimit: powers.rateLimit,
});

/** True when nothing has changed in what a caller may do. */
export const isUnchanged = (before: Powers, present: Powers): boolean =>
  before.association === present.association &&
  before.permissions === present.permissions &&
  before.dealerId === present.dealerId &&
  before.userId === present.userId &&
  before.role === present.role &&
  before.rateLimit === present.rateLimit;

/**
 * Thrown out of a change, which is undone by it: whoever makes it is not, or not any more, who was decided about. The
 * caller has to be looked up again, and then gets the answer that is right at that time.
 */
export class WarrantLapsed extends Error {
  override readonly name = "WarrantLapsed";
}

// Each round is lost only to a change of the caller's own rights that came in between.
const ROUNDS = 100;

/**
 * Makes a change whose maker must be allowed to make it when it is made. `attempt` is told whether it is a further one:
 * the warrant of the one before had lapsed, so that it must look the caller up again.
 */
export const whileWarranted = async <Result>(
  attempt: (isFurther: boolean) => Result | Promise<Result>,
): Promise<Result> => {
  for (let round = 0; ; round++) {
    try {
      return await attempt(round > 0);
    } catch (error) {
      if (!(error instanceof WarrantLapsed) || round >= ROUNDS) throw error;
    }
  }
};
