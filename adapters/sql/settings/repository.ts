import { Failure } from "../../../core/failure.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../../core/settings/installation.ts";
import type { SettingsRepository } from "../../../core/settings/settings-repository.ts";
import { accessChange } from "../access/access-change.ts";
import type { CredentialCache } from "../access/credential-cache.ts";
import { auditTrail } from "../audit/trail.ts";
import type { SqlDatabase } from "../query/database.ts";
import type { Queries } from "../query/driver.ts";
import type { NewRow, Row } from "../query/tables.ts";

const FIELDS = [
  "name",
  "currency",
  "distance_unit",
  "date_order",
  "time_zone",
  "resale_days",
  "field_owners",
  "logo",
  "updated_at",
] as const;

/** The columns of the row. */
export const INSERTED = ["id", ...FIELDS] as const;

const ONLY_ID = 1;

const settingsOf = (row: Pick<Row<"settings">, (typeof FIELDS)[number]>): Settings => ({
  ...row,
  field_owners: JSON.parse(row.field_owners),
});

const BYTES_PER_FOUR_CHARACTERS = 3;

/** A logo in the form that the audit log shows: its media type and size. */
const logoSummary = (logo: string): string => {
  const at = logo.indexOf(",") + 1;
  const bytes =
    Math.floor(((logo.length - at) * BYTES_PER_FOUR_CHARACTERS) / 4) -
    (logo.endsWith("==") ? 2 : logo.endsWith("=") ? 1 : 0);
  return `${logo.slice("data:".length, logo.indexOf(";"))}, ${bytes} bytes`;
};

/** Settings in the form that the audit log shows: only these fields, and without the logo's image. */
const audited = (settings: Settings, names: readonly string[]): object =>
  Object.fromEntries(
    Object.entries(settings)
      .filter(([name]) => names.includes(name))
      .map(([name, value]) => [name, name === "logo" && value !== null ? logoSummary(value) : value]),
  );

/** The settings in SQL; see the port for what it guarantees. */
export const makeSettingsRepository = (
  db: SqlDatabase,
  cache: Pick<CredentialCache, "clear" | "cacheValue">,
): SettingsRepository => {
  const audit = auditTrail(db);
  const changeAccess = accessChange(db, cache.clear);

  const read = async (source: Queries): Promise<Settings> => {
    const row = await source.selectFrom("settings").select(FIELDS).executeTakeFirst();
    return row === undefined ? DEFAULT_SETTINGS : settingsOf(row);
  };

  return {
    read: cache.cacheValue(() => read(db)),

    // The update runs as a change of access, so that updates are serialized and the actor's rights are checked again.
    change: ({ now, by }, decide) =>
      changeAccess(by, now, async (tx) => {
        const before = await read(tx);
        const decided = decide(before);
        if (decided instanceof Failure) return decided;
        const field_owners = JSON.stringify(decided.after.field_owners);
        const values = { ...decided.after, field_owners, updated_at: now } satisfies NewRow<"settings">;
        const row = await tx
          .insertInto("settings")
          .values({ id: ONLY_ID, ...values })
          .onConflict((conflict) =>
            conflict.column("id").doUpdateSet({ ...values, updated_at: db.nextTimestamp("settings.updated_at", now) }),
          )
          .returning(FIELDS)
          .executeTakeFirstOrThrow();
        const after = settingsOf(row);
        await audit(tx, {
          at: now,
          by,
          action: "settings.changed",
          resourceId: null,
          dealerId: null,
          before: audited(before, decided.sent),
          after: audited(after, decided.sent),
        });
        return after;
      }),
  };
};
