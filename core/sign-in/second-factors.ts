import type { Actor } from "../access/principal.ts";
import type { Timestamp } from "../clock.ts";

/** A user's second factor. */
export interface SecondFactor {
  /** The secret as it was offered. */
  readonly secret: string;
  /** The secret as it is stored: another one for each offer. */
  readonly sealed: string;
  /** False while it is only offered. */
  readonly isConfirmed: boolean;
}

/** Second factors in the database. Their secrets are sealed there. */
export interface SecondFactorRepository {
  find(userId: number): Promise<SecondFactor | null>;
  /** Offers a secret in place of an earlier offer; false when the user has a confirmed second factor. */
  offer(offer: {
    readonly userId: number;
    readonly secret: string;
    readonly now: Timestamp;
    readonly by: Actor;
  }): Promise<boolean>;
}
