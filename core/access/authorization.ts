import type { Authorization, Powers, PresentedCredential } from "./principal.ts";

/** The authorization that this credential and these powers give. */
export const authorizationOf = (presented: PresentedCredential, powers: Powers): Authorization => ({
  presented,
  association: powers.association,
  permissions: powers.permissions,
  dealerId: powers.dealerId,
  userId: powers.userId,
  role: powers.role,
  rateLimit: powers.rateLimit,
});

/** True if nothing changed in what a caller may do. */
export const hasSamePowers = (before: Powers, present: Powers): boolean =>
  before.association === present.association &&
  before.permissions === present.permissions &&
  before.dealerId === present.dealerId &&
  before.userId === present.userId &&
  before.role === present.role &&
  before.rateLimit === present.rateLimit;

/**
 * Thrown inside a change to roll it back: the caller's powers are no longer those that were checked. The caller must be
 * looked up again, and then gets the right answer.
 */
export class AuthorizationLapsed extends Error {
  override readonly name = "AuthorizationLapsed";
}

// A round is lost only if the caller's own powers change meanwhile.
const ROUNDS = 100;

/**
 * Makes a change that its maker must still be allowed to make at the commit. `attempt` learns whether it is a retry;
 * then it must look the caller up again.
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
