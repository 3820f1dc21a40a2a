/** The kinds of background jobs. */
export const JOB_KINDS = ["import", "source", "photos", "schedule", "import-photos"] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/** How long a process may hold a job without renewing its lease; then another process may take it over. */
export const LEASE_SECONDS = 30;

/** How often a job may be started without making progress before it is given up. */
export const MAX_ATTEMPTS = 5;

/** A job that a process holds. */
export interface Claim {
  readonly id: number;
  readonly kind: JobKind;
  readonly subjectId: number;
  readonly owner: string;
  /** How often the job was started since its last progress, including this time. */
  readonly attempts: number;
}

/** Thrown in a step of a job to roll the step back, because another process has taken the job over. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}
