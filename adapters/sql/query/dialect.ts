/** Replaces the driver of a Kysely dialect, which would bypass the pool, its limits, deadlines and errors. */
export const rejectConnection = (): Promise<never> =>
  Promise.reject(new Error("this Kysely compiles statements only: SqlDatabase runs them"));
