import type { Actor } from "../access/principal.ts";
import type { Timestamp } from "../clock.ts";

/** A user's second factor. */
export interface SecondFactor {
  /** The secret as it was offered to the user. */
  readonly secret: string;
  /** The secret as it is stored, which is different for each offer. */
  readonly sealed: string;
  /** False if it is offered and not yet confirmed. */
  readonly isConfirmed: boolean;
}

/** Second factors in the database, with sealed secrets. */
export interface SecondFactorRepository {
  find(userId: number): Promise<SecondFactor | null>;
  /** Offers a secret, which replaces an earlier offer. Returns false if the user has a confirmed second factor. */
  offer(offer: {
    readonly userId: number;
    readonly secret: string;
    readonly now: Timestamp;
    readonly by: Actor;
  }): Promise<boolean>;
}
