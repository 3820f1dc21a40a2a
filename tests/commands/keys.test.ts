import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import {
  alter,
  contentOf,
  type Ran,
  type RunningProgram,
  rowsOf,
  TEST_TIMEOUT_MS,
  type TestProgram,
  testCommands,
} from "../support/program.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const SITE = ["--name", "Showroom", "--app-type", "web", "--app-id", "site"];
const KEY = /^vis_web_site_[0-9A-Za-z]{28}\n$/;

const created = async (program: TestProgram, ...more: readonly string[]): Promise<Record<string, unknown>> => {
  const { code, out, err } = await program.run("keys", "create", ...SITE, "--json", ...more);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return JSON.parse(out);
};

/** A database with one dealer, whose id is 1. */
const withDealer = async (): Promise<TestProgram> => {
  const program = testCommands();
  expect(await program.run("seed", "--dealers", "1", "--vehicles", "3", "--no-images")).toMatchObject({ code: 0 });
  return program;
};

const statusFor = async ({ url }: RunningProgram, key: string, path = "/api/vehicles"): Promise<number> =>
  (await fetch(url + path, { headers: { "x-api-key": key } })).status;

describe("keys create", () => {
  test("prints only the secret to standard output, and stores it nowhere", async () => {
    const program = testCommands();
    const { code, out, err } = await program.run("keys", "create", ...SITE);
    expect(code).toBe(0);
    expect(out).toMatch(KEY);
    expect(err).toBe("Created key 1 (Showroom). This is shown once; only its hash is stored:\n");
    expect((await program.run("keys", "list", "--json")).out).not.toContain(out.trim());
    expect(JSON.stringify(contentOf(program.database))).not.toContain(out.trim());
  });

  test("applies every option", async () => {
    const program = await withDealer();
    const key = await created(
      program,
      ...["--dealer-id", "1", "--expires-at", "2099-01-01T02:00:00+02:00", "--rate-limit", "7"],
      ...[
        "--description",
        "For the hall",
        "--permission",
        "vehicles:read",
        "vehicles:write",
        "--permission",
        "keys:read",
      ],
    );
    expect(key).toMatchObject({
      ...{ name: "Showroom", app_type: "web", app_id: "site", association: "dealer", dealer_id: 1 },
      ...{ expires_at: "2099-01-01T00:00:00.000Z", rate_limit: 7, description: "For the hall", active: true },
      permissions: [
        { resource: "vehicles", action: "read" },
        { resource: "vehicles", action: "write" },
        { resource: "keys", action: "read" },
      ],
      api_key: expect.stringMatching(/^vis_web_site_/),
    });
  });

  test("warns that the key is refused if its user is inactive", async () => {
    const program = testCommands();
    await program.run("users", "create", "--name", "Robin", "--email", "robin@example.com", "--role", "user");
    await program.run("users", "deactivate", "1");
    const { code, out, err } = await program.run("keys", "create", ...SITE, "--user-id", "1");
    expect([code, out]).toEqual([0, expect.stringMatching(KEY)]);
    expect(err).toStartWith(
      "warning: key 1 (Showroom) belongs to user 1, who is inactive: its secret is refused until that changes\n",
    );
  });

  test("is recorded as a change by the command line", async () => {
    const program = testCommands();
    await created(program);
    expect(rowsOf(program.database, "SELECT action, via, actor_key_id, resource_id FROM audit_entries")).toEqual([
      { action: "key.created", via: "command", actor_key_id: null, resource_id: 1 },
    ]);
  });
});

describe("keys list", () => {
  const MOMENT = "2026-01-01T00:00:00.000Z";
  const COLUMNS = "name, app_type, app_id, key_start, association, permissions, active, bootstrap, search_folded";
  const COUNT = 2345;
  const many = testCommands();
  const few = testCommands();
  const NAMES = ["Showroom", "車両在庫", "red \u001b[31m alert", "back\u202ewards"];

  beforeAll(async () => {
    await Promise.all([many.run("migrate"), few.run("seed", "--dealers", "1", "--vehicles", "0")]);
    alter(
      many.database,
      `WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${COUNT})
       INSERT INTO api_keys (${COLUMNS}, created_at, updated_at)
       SELECT 'Key ' || number, 'web', 'site', 'vis', 'none', 1, 1, 0, '', '${MOMENT}', '${MOMENT}' FROM numbers`,
    );
    const row = (name: string, association: string, active: 0 | 1, expiresAt: string): string =>
      `('${name}', 'web', 'site', 'vis', '${association}', 1, ${active}, 0, '', '${MOMENT}', '${MOMENT}', ${expiresAt})`;
    alter(
      few.database,
      `INSERT INTO api_keys (${COLUMNS}, created_at, updated_at, expires_at) VALUES
       ${NAMES.map((name) => row(name, "dealer", 1, "NULL"))}, ${row("Late", "none", 1, "'2099-01-01T00:00:00.000Z'")},
       ${row("Over", "none", 1, `'${MOMENT}'`)}, ${row("Gone", "none", 0, "NULL")};
       INSERT INTO dealer_keys VALUES (1, 1), (1, 2), (1, 3), (1, 4)`,
    );
  }, TEST_TIMEOUT_MS);

  const lines = ({ out }: Ran): string[] => out.trimEnd().split("\n");

  test("shows long lists completely, each key once, newest first", async () => {
    const [, ...all] = lines(await many.run("keys", "list", "--all"));
    const expected = Array.from({ length: COUNT }, (_, index) => COUNT - index);
    expect(all.map((line) => Number.parseInt(line, 10))).toEqual(expected);
  });

  test("shows the requested number of newest keys, and says that there are more", async () => {
    const some = await many.run("keys", "list", "--limit", "1200");
    expect(lines(some).length).toBe(1201);
    expect(some.err).toBe(`1200 of ${COUNT} keys; --all shows the rest.\n`);
  });

  test("succeeds when its reader stops early", async () => {
    const { code, err } = await many.through("head -1", "keys", "list");
    expect({ code, err }).toEqual({ code: 0, err: "" });
  });

  test("shows what each key reaches and whether it works", async () => {
    const [heading, gone, over, late, ...bound] = lines(await few.run("keys", "list"));
    expect(heading).toMatch(/^ID +NAME +TYPE +APP +REACHES +STATE +EXPIRES +LAST USED +CREATED +BEGINS WITH$/);
    expect(gone).toMatch(/^7 +Gone +web +site +everything +revoked +- /);
    expect(over).toMatch(/^6 +Over +web +site +everything +expired +2026-01-01 00:00 /);
    expect(late).toMatch(/^5 +Late +web +site +everything +active +2099-01-01 00:00 /);
    expect(bound.at(-1)).toMatch(/^1 +Showroom +web +site +dealer 1 +active +- /);
  });

  test("shows one dealer's keys in aligned columns, whatever their names", async () => {
    const bound = await few.run("keys", "list", "--dealer-id", "1");
    expect(lines(bound).length).toBe(NAMES.length + 1);
    for (const mark of ["\u001b", "\u202e"]) expect(bound.out).not.toContain(mark);
    const starts = lines(bound).map((line) => Bun.stringWidth(line.slice(0, line.search(/ (?:TYPE|web) /))));
    expect(new Set(starts).size).toBe(1);
  });

  test("says that there are no keys", async () => {
    const [table, json] = await Promise.all([
      many.run("keys", "list", "--dealer-id", "9"),
      many.run("keys", "list", "--dealer-id", "9", "--json"),
    ]);
    expect(table).toEqual({ code: 0, out: "", err: "There are no keys.\n" });
    expect(json).toEqual({ code: 0, out: "[]\n", err: "" });
  });
});

describe("keys revoke and keys rotate", () => {
  test("warn that they have no effect on a revoked key", async () => {
    const program = testCommands();
    await created(program);
    expect(await program.run("keys", "revoke", "1")).toEqual({ code: 0, out: "Revoked key 1 (Showroom).\n", err: "" });
    const again = await program.run("keys", "revoke", "1");
    expect(again).toEqual({ code: 0, out: "", err: "warning: key 1 (Showroom) was revoked already\n" });
    const rotated = await program.run("keys", "rotate", "1", "--grace-seconds", "60");
    expect(rotated).toEqual({
      code: 0,
      out: expect.stringMatching(KEY),
      err: `warning: --grace-seconds has no effect on a key that is refused
warning: key 1 (Showroom) is revoked: its secret is refused until that changes
Rotated key 1 (Showroom). This is shown once; only its hash is stored:
`,
    });
    alter(program.database, "UPDATE api_keys SET active = 1, ended_by = NULL, expires_at = '2020-01-01T00:00:00.000Z'");
    expect((await program.run("keys", "rotate", "1")).err).toStartWith("warning: key 1 (Showroom) has expired: ");
  });

  test("keep the old secret for as long as is asked for, and not at all otherwise", async () => {
    const program = testCommands();
    await created(program);
    const graceOf = async (...more: readonly string[]): Promise<unknown> => {
      const { err, out } = await program.run("keys", "rotate", "1", "--json", ...more);
      expect(err).toBe("");
      return JSON.parse(out).grace_until;
    };
    expect(await graceOf("--grace-seconds", "60")).toEqual(expect.any(String));
    expect([await graceOf(), await graceOf("--grace-seconds", "0")]).toEqual([null, null]);
  });

  test("take effect in a running service, which soon refuses the revoked key and the previous secret", async () => {
    const program = testCommands();
    const serving = await program.serve();
    const first = (await program.run("keys", "create", ...SITE)).out.trim();
    const id = String(rowsOf(program.database, "SELECT max(id) AS id FROM api_keys")[0]?.id);
    expect(await statusFor(serving, first)).toBe(200);

    const second = (await program.run("keys", "rotate", id)).out.trim();
    expect(await statusFor(serving, second)).toBe(200);
    await eventually(
      () => statusFor(serving, first),
      (status) => status === 401,
    );

    const third = (await program.run("keys", "rotate", id, "--grace-seconds", "600")).out.trim();
    expect(await statusFor(serving, third)).toBe(200);
    expect(await statusFor(serving, second)).toBe(200);

    expect(await program.run("keys", "revoke", id)).toEqual({
      code: 0,
      out: `Revoked key ${id} (Showroom).\n`,
      err: "",
    });
    await eventually(
      () => statusFor(serving, third),
      (status) => status === 401,
    );
    await eventually(
      () => statusFor(serving, second),
      (status) => status === 401,
    );
    expect(await program.run("keys", "revoke", id)).toMatchObject({ code: 0 });
    expect(await serving.stop()).toMatchObject({ code: 0 });
  });
});
