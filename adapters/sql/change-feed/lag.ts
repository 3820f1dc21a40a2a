import type { Timers } from "../../../core/clock.ts";
import type { SqlDatabase } from "../query/database.ts";
import { changePositions } from "./positions.ts";

/** How often it is measured. */
const MEASURE_MS = 2000;

/** How far readers of changes are behind. */
export interface ChangesLag {
  /** The age of the oldest change that they cannot see yet; `null` until it was measured. */
  readonly seconds: number | null;
  stop(): void;
}

/** Measures the lag of the change feed again and again. On SQLite, there is none. */
export const watchChangesLag = (db: SqlDatabase, timers: Timers): ChangesLag => {
  const { lag } = changePositions(db);
  if (db.engine === "sqlite") return { seconds: 0, stop: () => {} };
  let seconds: number | null = null;
  const measure = async (): Promise<void> => {
    try {
      const [row] = await db.all(lag, {});
      seconds = Math.max(0, row?.seconds ?? 0);
    } catch {
      // A database that does not answer is reported elsewhere.
      seconds = null;
    }
  };
  const stop = timers.every(MEASURE_MS, measure);
  return {
    get seconds() {
      return seconds;
    },
    stop,
  };
};
