import type { Logger } from "pino";
import type { Registry } from "../adapters/metrics/registry.ts";
import { onBackupThread } from "../adapters/sql/sqlite/backup-thread.ts";
import { type KeptBackup, KeptBackups } from "../adapters/sql/sqlite/kept-backups.ts";
import { recurring } from "../adapters/system/recurring.ts";
import type { Clock, Timers } from "../core/clock.ts";
import { tickAfter } from "../core/cron/cron.ts";
import type { BackupConfig } from "./backup-config.ts";
import { fileOf } from "./database.ts";

const LOOK_MS = 30_000;
const RETRY_MS = 600_000;
const UTC = { offsetMs: () => 0 };

/** What `/health/ready` says of the backups. */
interface BackupState {
  /** `failed` if the newest one is damaged, or the last try made none. */
  readonly state: "ok" | "none" | "failed";
  readonly age_seconds: number | null;
}

/** The backups that the service makes by itself. */
export interface Backups {
  /** `null` if it makes none. */
  state(): BackupState | null;
  /** Looks now, and from then on twice a minute. */
  start(): void;
  /** Makes a backup if one is due. */
  look(): Promise<void>;
  stop(): void;
}

interface Parts {
  readonly databaseUrl: string;
  readonly clock: Pick<Clock, "nowMs"> & Timers;
  readonly log: Logger;
  readonly registry: Registry;
}

/**
 * Makes backups by the schedule, verified ones only, and removes the oldest. The first is made at once, and so is one
 * that was missed while the service did not run. The newest of an earlier run is verified, too.
 */
export const composeBackups = (config: BackupConfig | null, parts: Parts): Backups => {
  const counts = { made: 0, failed: 0 };
  const { clock, log, registry } = parts;
  const database = fileOf(parts.databaseUrl);
  const kept = config === null ? null : new KeptBackups(config.folder, database);
  const damaged = new Set<string>();
  /** The newest intact one; it was verified. */
  let newest: KeptBackup | null = null;
  let isFailed = false;
  let retryAtMs = 0;
  const ageSeconds = (): number | null =>
    newest === null ? null : Math.max(0, Math.floor((clock.nowMs() - newest.madeMs) / 1000));
  registry.gauge("inventory_backup_age_seconds", "Age of the newest intact backup.", ageSeconds);
  registry.counter("inventory_backups_total", "Backups that were due.", () =>
    kept === null ? [] : Object.entries(counts).map(([result, value]) => ({ labels: { result }, value })),
  );
  if (config === null || kept === null) return { state: () => null, start() {}, look: async () => {}, stop() {} };

  const fail = (fault: string): void => {
    counts.failed++;
    isFailed = true;
    retryAtMs = clock.nowMs() + RETRY_MS;
    log.error({ fault, folder: config.folder }, "no backup was made: it is tried again in ten minutes");
  };

  /** The newest one that is intact. One that nobody has verified yet is opened first. */
  const newestIntact = async (): Promise<KeptBackup | null> => {
    for (const found of kept.all(clock.nowMs())) {
      if (damaged.has(found.file)) continue;
      if (newest?.file === found.file) return found;
      const fault = await onBackupThread({ database: null, file: found.file });
      if (fault === null) return found;
      damaged.add(found.file);
      log.error({ file: found.file, fault }, "a backup is of no use");
    }
    return null;
  };

  const make = async (): Promise<void> => {
    const file = kept.fileFor(clock.nowMs());
    const fault = await onBackupThread({ database, file });
    if (fault !== null) return fail(fault);
    counts.made++;
    isFailed = false;
    newest = kept.all(clock.nowMs())[0] ?? null;
    kept.keepNewest(config.keep, clock.nowMs());
    log.info({ file }, "a backup was made and verified");
  };

  const look = async (): Promise<void> => {
    if (clock.nowMs() < retryAtMs) return;
    try {
      newest = await newestIntact();
      const dueMs = newest === null ? 0 : (tickAfter(config.cron, UTC, newest.madeMs) ?? Number.POSITIVE_INFINITY);
      if (clock.nowMs() >= dueMs) await make();
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error));
    }
  };

  const looking = recurring(clock, LOOK_MS, look);
  return {
    start() {
      looking.start(() => {});
      looking.soon();
    },
    state: () => ({ state: isFailed ? "failed" : newest === null ? "none" : "ok", age_seconds: ageSeconds() }),
    look,
    // One that is being made is left unfinished, and removed with the next one.
    stop: () => void looking.stop(),
  };
};
