import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { ENGINES } from "../support/engines.ts";
import { alter, inThisProcess, migratedProgram, TEST_TIMEOUT_MS, testProgram } from "../support/program.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const KEY = Bun.SHA256.hash("a key", "base64");
/** A second factor that looks sealed, with a key that nobody has. */
const SEALED = `s1.AAAAAAAA.${"A".repeat(60)}`;

const withSecondFactor = async () => {
  const program = migratedProgram();
  expect(
    (await program.run("users", "create", "--name", "Robin", "--email", "robin@example.com", "--role", "super_admin"))
      .code,
  ).toBe(0);
  await (await program.serve()).stop();
  alter(
    program.database,
    `INSERT INTO second_factors (user_id, secret, recovery_codes, verified) VALUES (1, '${SEALED}', '[]', 1)`,
  );
  return program;
};

test("the secret key is created in its own file beside the database, readable by its owner only, and reused", async () => {
  const program = testProgram();
  await (await program.serve()).stop();
  const file = program.path("secret.key");
  const key = readFileSync(file, "utf8");
  expect([statSync(file).mode & 0o777, Buffer.from(key.trim(), "base64").length]).toEqual([0o600, 32]);
  expect(readFileSync(program.database).includes(key.trim())).toBe(false);
  const again = await (await program.serve({ LOG_LEVEL: "info" })).stop();
  expect([again.code, readFileSync(file, "utf8")]).toEqual([0, key]);
  expect(again.out + again.err).not.toInclude(key.trim());
});

test("SECRET_KEY can replace the key file with the same key, and then no other key fits", async () => {
  const program = migratedProgram();
  await (await program.serve()).stop();
  await (await program.serve({ SECRET_KEY: KEY })).stop();
  rmSync(program.path("secret.key"));
  await (await program.serve({ SECRET_KEY: KEY })).stop();
  expect(existsSync(program.path("secret.key"))).toBe(false);
  const wrong = await program.runWith({ SECRET_KEY: Bun.SHA256.hash("another", "base64") }, "serve");
  expect(wrong.code).toBe(1);
  expect(wrong.err.trim().split("\n")).toHaveLength(1);
  expect(wrong.err).toInclude("SECRET_KEY");
});

test("nothing starts without the key of sealed second factors, until it is declared lost", async () => {
  const program = await withSecondFactor();
  renameSync(program.path("secret.key"), program.path("elsewhere"));
  const refused = await program.run("serve");
  expect([refused.code, refused.err.trim().split("\n").length]).toEqual([1, 1]);
  expect(refused.err).toInclude("secret.key");
  const forgotten = await program.run("secret-key", "forget");
  expect([forgotten.code, forgotten.out]).toMatchObject([0, expect.stringContaining("1 users")]);
  expect((await (await program.serve()).stop()).code).toBe(0);
});

test("a backup does not contain the secret key, and says that it must be kept separately", async () => {
  const program = migratedProgram();
  await (await program.serve()).stop();
  const backup = await inThisProcess(program).run("backup", program.path("copy.db"));
  expect(backup.err).toInclude("secret.key");
  expect(
    readFileSync(join(program.folder, "copy.db")).includes(readFileSync(program.path("secret.key"), "utf8").trim()),
  ).toBe(false);
});

test("a start on PostgreSQL without SECRET_KEY says that several instances need it", async () => {
  const postgres = ENGINES[1];
  const program = testProgram();
  const environment = { DATABASE_URL: (await postgres?.migratedUrl()) ?? "", LOG_LEVEL: "info" };
  const first = await (await program.serve(environment)).stop();
  expect(first.out).toMatch(/several instances.*SECRET_KEY/);
  expect(statSync(program.path("data/secret.key")).mode & 0o777).toBe(0o600);
  const second = await (
    await testProgram().serve({
      ...environment,
      SECRET_KEY: readFileSync(program.path("data/secret.key"), "utf8").trim(),
    })
  ).stop();
  expect(second.out).not.toInclude("several instances");
});
