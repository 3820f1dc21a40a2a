import type { Authorization, Powers, PresentedCredential } from "./principal.ts";

/** The authorization of a caller with this credential and these powers. */
export const authorizationOf = (presented: PresentedCredential, powers: Powers): Authorization => ({
  presented,
  association: powers.association,
  permissions: powers.permissions,
  dealerId: powers.dealerId,
  userId: powers.userId,
  role: powers.role,
  rateLimit: powers.rateLimit,
});

/** True if what a caller may do has not changed. */
export const hasSamePowers = (before: Powers, present: Powers): boolean =>
  before.association === present.association &&
  before.permissions === present.permissions &&
  before.dealerId === present.dealerId &&
  before.userId === present.userId &&
  before.role === present.role &&
  before.rateLimit === present.rateLimit;

/**
 * Thrown within a change to roll it back, because the caller's powers have changed since they were checked. The caller
 * must be looked up again; the second attempt uses the present powers.
 */
export class AuthorizationLapsed extends Error {
  override readonly name = "AuthorizationLapsed";
}

// A round fails only if the caller's own powers change at the same time.
const ROUNDS = 100;

/**
 * Makes a change that the caller must still be allowed to make at the time of the commit. `attempt` is told whether it
 * is a retry. If so, it must look the caller up again.
 */
export const whileAuthorized = async <Result>(
  attempt: (isRetry: boolean) => Result | Promise<Result>,
): Promise<Result> => {
  for (let round = 0; ; round++) {
    try {
      return await attempt(round > 0);
    } catch (error) {
      if (!(error instanceof AuthorizationLapsed) || round >= ROUNDS) throw error;
    }
  }
};
