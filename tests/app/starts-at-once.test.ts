import { expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { AddressRefused } from "../../adapters/http/server/free-address.ts";
import { compose } from "../../app/compose.ts";
import { readConfig } from "../../app/config.ts";
import { openEvents } from "../../app/log.ts";
import { PATIENT } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { queryDatabase } from "../support/inspect-database.ts";
import { freePort } from "../support/ports.ts";
import { postgres } from "../support/postgres.ts";
import { scratchFolder } from "../support/scratch-folder.ts";
import { TESTS_SECRET_KEY } from "../support/service.ts";
import { timerTurns } from "../support/timer-turns.ts";

setDefaultTimeout(300_000);

test("a first start whose port another start takes meanwhile makes neither a key nor a link, which it would show in vain", async () => {
  const folder = scratchFolder("starts-at-once");
  const databaseUrl = `sqlite:${join(folder, "some.db")}`;
  const port = freePort();
  const write = (): void => {};
  const config = readConfig({ DATABASE_URL: databaseUrl, PORT: String(port), SECRET_KEY: TESTS_SECRET_KEY });
  // It has found the port free when it waits for the first time.
  const starting = compose(config, { events: openEvents("silent", { write }), access: write });
  const other = Bun.listen({ hostname: "127.0.0.1", port, socket: { data() {} } });
  await expect(starting).rejects.toEqual(expect.any(AddressRefused));
  await expect(starting).rejects.toMatchObject({ isTaken: true });
  other.stop(true);
  expect(await queryDatabase(databaseUrl, "SELECT id FROM api_keys")).toEqual([]);
  expect(await queryDatabase(databaseUrl, "SELECT * FROM invitations")).toEqual([]);
  rmSync(folder, { recursive: true });
});

test("a first start answers nobody before it has made the key: whoever waits for the service then finds what it showed", async () => {
  const databaseUrl = await (await postgres()).freshDatabase();
  const port = freePort();
  const write = (): void => {};
  const environment = { ...PATIENT, DATABASE_URL: databaseUrl, PORT: String(port), SECRET_KEY: TESTS_SECRET_KEY };
  const start = () => compose(readConfig(environment), { events: openEvents("silent", { write }), access: write });
  // Another start makes the tables.
  await (await start()).close();
  const other = new SQL(databaseUrl, { max: 1 });
  await other`DELETE FROM api_keys`;
  await other`BEGIN`;
  await other`LOCK TABLE api_keys IN SHARE MODE`;
  const starting = start();
  let isAnswered = false;
  const answered = eventually(
    () =>
      fetch(`http://127.0.0.1:${port}/health/live`).then(
        ({ status }) => {
          isAnswered = true;
          return status;
        },
        () => 0,
      ),
    (status) => status > 0,
  );
  await eventually(
    () =>
      queryDatabase(
        databaseUrl,
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      ),
    (waiting) => waiting.length > 0,
  );
  await timerTurns(50, 5);
  expect(isAnswered).toBeFalse();
  await other`ROLLBACK`;
  expect(await answered).toBe(200);
  expect(await queryDatabase(databaseUrl, "SELECT id FROM api_keys")).toHaveLength(1);
  await other.close();
  await (await starting).close();
});
