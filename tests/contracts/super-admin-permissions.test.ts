import { expect, setDefaultTimeout, test } from "bun:test";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { migrateToLatest } from "../../adapters/sql/schema/migrate.ts";
import { EVERY_PERMISSION } from "../../core/permissions.ts";
import { priceRanges } from "../../migrations/0002-price-ranges.ts";
import { grantToSuperAdmins } from "../../migrations/super-admins.ts";
import { migrateBefore } from "../support/earlier-schema.ts";
import { connect, ENGINES } from "../support/engines.ts";
import { MOMENT } from "../support/records.ts";

setDefaultTimeout(300_000);

const MOMENTS = `'${MOMENT}', '${MOMENT}'`;
const DEALER = `INSERT INTO dealers (id, name, address, city, state, zip, phone, email, active, city_folded, state_folded,
  created_at, updated_at) VALUES (1, 'Harbor Motors', 'x', 'x', 'x', 'x', 'x', 'x', 1, 'x', 'x', ${MOMENTS})`;

/** Every permission of the first version: five resources with three actions. */
const FIRST_PERMISSIONS = 2 ** 15 - 1;

const user = (id: number, role: string, permissions: number) =>
  `INSERT INTO users (id, name, email, email_folded, role, dealer_id, permissions, active, created_at, updated_at)
    VALUES (${id}, 'Robin', 'r${id}@example.com', 'r${id}@example.com', '${role}', ${role === "super_admin" ? "NULL" : 1},
      ${permissions}, 1, ${MOMENTS})`;

const key = (id: number, association: string, permissions: number) =>
  `INSERT INTO api_keys (id, name, app_type, app_id, key_start, association, permissions, active, bootstrap,
    search_folded, created_at, updated_at)
    VALUES (${id}, 'Site', 'web', 'site', 'vis', '${association}', ${permissions}, 1, 0, 'x', ${MOMENTS})`;

const run = (db: SqlDatabase, ...texts: readonly string[]): Promise<void> =>
  db.migrate(async (statement) => {
    for (const text of texts) await statement(text);
  });

const permissionsIn = async (db: SqlDatabase, table: "users" | "api_keys"): Promise<number[]> =>
  (
    await db.all<{ permissions: number }>({ text: `SELECT permissions FROM ${table} ORDER BY id`, bind: () => [] }, {})
  ).map(({ permissions }) => permissions);

for (const engine of ENGINES) {
  // If this fails, a resource with permissions was added whose migration does not call `grantToSuperAdmins`.
  test(`super-admins with every permission of the first version have every one of today's on ${engine.name}`, async () => {
    const db = connect(await engine.url());
    await migrateBefore(db, priceRanges);
    await run(db, user(1, "super_admin", FIRST_PERMISSIONS), key(1, "none", FIRST_PERMISSIONS));
    await migrateToLatest(db);
    expect(await permissionsIn(db, "users")).toEqual([EVERY_PERMISSION]);
    expect(await permissionsIn(db, "api_keys")).toEqual([EVERY_PERMISSION]);
    await db.close();
  });

  test(`nobody else gets the permissions of a new resource on ${engine.name}`, async () => {
    const db = await engine.open();
    const some = FIRST_PERMISSIONS - 1;
    await run(
      db,
      DEALER,
      user(1, "super_admin", FIRST_PERMISSIONS),
      user(2, "super_admin", some),
      user(3, "dealer_admin", FIRST_PERMISSIONS),
      key(1, "none", FIRST_PERMISSIONS),
      key(2, "none", some),
      key(3, "dealer", FIRST_PERMISSIONS),
      ...grantToSuperAdmins(5),
    );
    expect(await permissionsIn(db, "users")).toEqual([2 ** 18 - 1, some, FIRST_PERMISSIONS]);
    expect(await permissionsIn(db, "api_keys")).toEqual([2 ** 18 - 1, some, FIRST_PERMISSIONS]);
    await db.close();
  });
}
