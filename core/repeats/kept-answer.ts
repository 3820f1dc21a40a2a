import type { Timestamp } from "../clock.ts";
import type { KeptShare } from "./kept-shares.ts";

/** A change that its caller may send again: the caller, and what the caller named it. */
export interface NamedRequest {
  readonly keyId: number;
  /** The dealer and the role of the key. A key that was rebound gets no answer of the dealer before. */
  readonly binding: string;
  readonly method: string;
  readonly path: string;
  /** What the caller sent as `Idempotency-Key`. */
  readonly name: string;
  /** Whose share the answer takes: the key's dealer, or the key itself. */
  readonly holder: string;
}

/** The version of the record that was answered, for the ETag. */
interface AnsweredVersion {
  readonly id: number;
  readonly updated_at: Timestamp;
  readonly variant?: string;
}

/** An answer that is kept for repeated requests. It contains no secret. */
export interface KeptAnswer {
  /** A hash of what was sent. */
  readonly fingerprint: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly version: AnsweredVersion | null;
  /** The JSON text; `null` if it was too long to be kept, so that the record is read anew. */
  readonly body: string | null;
  /** How much it takes of its holder's share. */
  readonly bytes: number;
}

/** A kept answer as it is found again. */
export type FoundAnswer = Omit<KeptAnswer, "bytes">;

/** Thrown if another instance has answered the request meanwhile. What was done here is undone. */
export class AnsweredElsewhere extends Error {
  override readonly name = "AnsweredElsewhere";
}

/** Thrown if another instance processes the request. What was done here is undone. */
export class RunsElsewhere extends Error {
  override readonly name = "RunsElsewhere";
}

/** Keeps answers, each in the transaction of its change. */
export interface KeptAnswerRepository {
  /** The answer that is kept for a request; `null` if there is none, or only one that has expired. */
  find(request: NamedRequest, now: Timestamp): Promise<FoundAnswer | null>;
  /**
   * Runs work whose changes become one transaction, together with the answer that `keptOf` makes of its result. If
   * there is none, the changes are undone. Rejects with AnsweredElsewhere or RunsElsewhere.
   */
  keepWith<Result>(
    change: { readonly request: NamedRequest; readonly now: Timestamp; readonly expiresAt: Timestamp },
    work: () => Promise<Result>,
    keptOf: (result: Result) => KeptAnswer | null,
  ): Promise<Result>;
  /** Removes some of the answers that have expired. Returns true if there may be more. */
  removeExpired(now: Timestamp): Promise<boolean>;
  /** Removes some of the oldest answers of a holder beyond its share. Returns true if there may be more. */
  removeBeyond(holder: string, share: KeptShare): Promise<boolean>;
}
