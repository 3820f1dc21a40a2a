import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { ENGINES } from "../support/engines.ts";
import { alter, TEST_TIMEOUT_MS, testProgram } from "../support/program.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const KEY = Bun.SHA256.hash("a key", "base64");
/** A second factor that looks sealed, with a key that nobody has. */
const SEALED = `s1.AAAAAAAA.${"A".repeat(60)}`;

const withSecondFactor = async () => {
  const place = testProgram();
  expect(
    (await place.run("users", "create", "--name", "Robin", "--email", "robin@example.com", "--role", "super_admin"))
      .code,
  ).toBe(0);
  await (await place.serve()).stop();
  alter(
    place.database,
    `INSERT INTO second_factors (user_id, secret, recovery_codes, verified) VALUES (1, '${SEALED}', '[]', 1)`,
  );
  return place;
};

test("the key is made in a file of its own beside the database, for its owner alone, and found again", async () => {
  const place = testProgram();
  await (await place.serve()).stop();
  const file = place.path("secret.key");
  const key = readFileSync(file, "utf8");
  expect([statSync(file).mode & 0o777, Buffer.from(key.trim(), "base64").length]).toEqual([0o600, 32]);
  expect(readFileSync(place.database).includes(key.trim())).toBe(false);
  const again = await (await place.serve({ LOG_LEVEL: "info" })).stop();
  expect([again.code, readFileSync(file, "utf8")]).toEqual([0, key]);
  expect(again.out + again.err).not.toInclude(key.trim());
});

test("whoever goes over from the file to SECRET_KEY says nothing of the file; then it alone fits", async () => {
  const place = testProgram();
  await (await place.serve()).stop();
  await (await place.serve({ SECRET_KEY: KEY })).stop();
  rmSync(place.path("secret.key"));
  await (await place.serve({ SECRET_KEY: KEY })).stop();
  expect(existsSync(place.path("secret.key"))).toBe(false);
  const wrong = await place.runWith({ SECRET_KEY: Bun.SHA256.hash("another", "base64") }, "serve");
  expect(wrong.code).toBe(1);
  expect(wrong.err.trim().split("\n")).toHaveLength(1);
  expect(wrong.err).toInclude("SECRET_KEY");
});

test("without the key that second factors were sealed with nothing starts, until it is said to be lost", async () => {
  const place = await withSecondFactor();
  renameSync(place.path("secret.key"), place.path("elsewhere"));
  const refused = await place.run("serve");
  expect([refused.code, refused.err.trim().split("\n").length]).toEqual([1, 1]);
  expect(refused.err).toInclude("secret.key");
  const forgotten = await place.run("secret-key", "forget");
  expect([forgotten.code, forgotten.out]).toMatchObject([0, expect.stringContaining("1 users")]);
  expect((await (await place.serve()).stop()).code).toBe(0);
});

test("a backup does not have it, and says that it is to be kept apart", async () => {
  const place = testProgram();
  await (await place.serve()).stop();
  const backup = await place.run("backup", "copy.db");
  expect(backup.err).toInclude("secret.key");
  expect(
    readFileSync(join(place.folder, "copy.db")).includes(readFileSync(place.path("secret.key"), "utf8").trim()),
  ).toBe(false);
});

test("on PostgreSQL a start without SECRET_KEY says that several instances need it", async () => {
  const postgres = ENGINES[1];
  const place = testProgram();
  const environment = { DATABASE_URL: (await postgres?.url()) ?? "", LOG_LEVEL: "info" };
  const first = await (await place.serve(environment)).stop();
  expect(first.out).toMatch(/several instances.*SECRET_KEY/);
  expect(statSync(place.path("data/secret.key")).mode & 0o777).toBe(0o600);
  const second = await (
    await testProgram().serve({
      ...environment,
      SECRET_KEY: readFileSync(place.path("data/secret.key"), "utf8").trim(),
    })
  ).stop();
  expect(second.out).not.toInclude("several instances");
});
