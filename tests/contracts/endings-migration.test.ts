import { expect, setDefaultTimeout, test } from "bun:test";
import { storedCredentials } from "../../adapters/sql/access/credentials.ts";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeKeyRepository } from "../../adapters/sql/keys/repository.ts";
import { migrateToLatest } from "../../adapters/sql/schema/migrate.ts";
import { makeUserRepository } from "../../adapters/sql/users/repository.ts";
import { secrets } from "../../adapters/system/secrets.ts";
import { makeKeys } from "../../core/keys/keys.ts";
import { makeUsers } from "../../core/users/users.ts";
import { endings } from "../../migrations/0008-endings.ts";
import { dealerKey, superAdminKey } from "../core/callers.ts";
import { causeOf, succeeded } from "../core/use-cases.ts";
import { fakeClock } from "../support/clock.ts";
import { migrateWithout } from "../support/earlier-schema.ts";
import { connect, ENGINES } from "../support/engines.ts";
import { MOMENT } from "../support/records.ts";

setDefaultTimeout(300_000);

const MOMENTS = `'${MOMENT}', '${MOMENT}'`;
const DEALER = `INSERT INTO dealers (id, name, address, city, state, zip, phone, email, active, city_folded, state_folded,
  created_at, updated_at) VALUES (1, 'Harbor Motors', 'x', 'x', 'x', 'x', 'x', 'x', 1, 'x', 'x', ${MOMENTS})`;
const user = (
  id: number,
  active: number,
) => `INSERT INTO users (id, name, email, email_folded, role, dealer_id, permissions,
  active, created_at, updated_at) VALUES (${id}, 'Robin', 'r${id}@example.com', 'r${id}@example.com', 'user', 1, 0, ${active}, ${MOMENTS})`;
const key = (id: number, userId: number, active: number) => [
  `INSERT INTO api_keys (id, name, app_type, app_id, key_start, association, user_id, permissions, active, bootstrap,
    search_folded, created_at, updated_at)
    VALUES (${id}, 'Site', 'web', 'site', 'vis', 'user', ${userId}, 0, ${active}, 0, 'x', ${MOMENTS})`,
  `INSERT INTO key_secrets (hash, key_id, ends_at) VALUES ('present-${id}', ${id}, NULL)`,
  `INSERT INTO key_secrets (hash, key_id, ends_at) VALUES ('grace-${id}', ${id}, '2099-01-01T00:00:00.000Z')`,
];

const ACTIVE = 1;
const REVOKED = 2;
const OF_INACTIVE = 3;

for (const engine of ENGINES)
  test(`the migration on ${engine.name} lets only super-admins activate records that were ended before, and ends graces`, async () => {
    const db = connect(await engine.url());
    await migrateWithout(db, endings);
    await db.migrate(async (run) => {
      for (const text of [
        DEALER,
        user(1, 1),
        user(2, 0),
        ...key(ACTIVE, 1, 1),
        ...key(REVOKED, 1, 0),
        ...key(OF_INACTIVE, 2, 1),
      ])
        await run(text);
    });
    await migrateToLatest(db);

    const clock = fakeClock(Date.parse(MOMENT));
    const stored = {
      keys: makeKeyRepository(db, () => {}),
      users: makeUserRepository(db, () => {}),
      dealers: makeDealerRepository(db),
    };
    const keys = makeKeys({ ...stored, secrets, clock });
    const users = makeUsers({ ...stored, secrets, clock });
    const [chief, admin] = [dealerKey(1), superAdminKey()];
    expect(causeOf(await keys.update(chief, REVOKED, { active: true }))?.kind).toBe("escalation");
    expect(causeOf(await users.update(chief, 2, { active: true }))?.kind).toBe("escalation");
    succeeded(await keys.update(admin, REVOKED, { active: true }));
    succeeded(await users.update(admin, 2, { active: true }));

    const works = async (hash: string): Promise<boolean> => {
      const credential = await storedCredentials(db).find(hash);
      return credential !== null && (credential.endsAt === null || clock.now() < credential.endsAt);
    };
    const ids = [ACTIVE, REVOKED, OF_INACTIVE];
    expect(await Promise.all(ids.map((id) => works(`present-${id}`)))).toEqual([true, true, true]);
    expect(await Promise.all(ids.map((id) => works(`grace-${id}`)))).toEqual([true, false, false]);
    await db.close();
  });
