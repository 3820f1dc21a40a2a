/** Replaces the driver of a Kysely dialect. The driver would bypass the pool with its limits, deadlines and errors. */
export const rejectConnection = (): Promise<never> =>
  Promise.reject(new Error("this Kysely compiles statements only: SqlDatabase runs them"));
