/** What is done in the background. */
export type JobKind = "import" | "source";

/** For how long a process has a job; it asks for more with each step. Another one takes over what is not renewed. */
export const LEASE_SECONDS = 30;

/** How often a job is taken up without getting on, before it is given up. */
export const MAX_ATTEMPTS = 5;

/** A job that a process has: what it is about, and the process. */
export interface Claim {
  readonly id: number;
  readonly kind: JobKind;
  readonly subjectId: number;
  readonly owner: string;
  /** How often it was taken up since it last got on, this time included. */
  readonly attempts: number;
}

/** Thrown in a step of a job to roll it back: another process has the job by now. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}
