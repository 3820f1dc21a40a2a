import { expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { compose } from "../../app/compose.ts";
import { readConfig } from "../../app/config.ts";
import { openEvents } from "../../app/log.ts";
import { queryDatabase } from "../support/inspect-database.ts";
import { freePort } from "../support/ports.ts";
import { scratchFolder } from "../support/scratch-folder.ts";
import { TESTS_SECRET_KEY } from "../support/service.ts";

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
  await expect(starting).rejects.toMatchObject({ code: "EADDRINUSE" });
  other.stop(true);
  expect(await queryDatabase(databaseUrl, "SELECT id FROM api_keys")).toEqual([]);
  expect(await queryDatabase(databaseUrl, "SELECT * FROM invitations")).toEqual([]);
  rmSync(folder, { recursive: true });
});
