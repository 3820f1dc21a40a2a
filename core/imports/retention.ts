const HOUR_SECONDS = 60 * 60;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** How long the file of an import is kept if the import does not continue by itself. */
export const FILE_RETENTION_SECONDS = DAY_SECONDS;

/** An upload that began before so long and never ended is removed. */
export const ABANDONED_AFTER_SECONDS = HOUR_SECONDS;

/** A snapshot whose missing vehicles nobody confirms for so long is cancelled. */
export const UNCONFIRMED_SECONDS = 7 * DAY_SECONDS;

/** The rows of an import are kept for so long after its end. */
export const ROW_RETENTION_SECONDS = 30 * DAY_SECONDS;
