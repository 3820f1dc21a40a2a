import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import { browserOn, invitationPath, PASSWORD } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { rowsOf, TEST_TIMEOUT_MS, type TestProgram, testCommands } from "../support/program.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const make = (program: TestProgram, name: string, role: string, ...more: string[]) =>
  program.run(
    "users",
    "create",
    "--name",
    name,
    "--email",
    `${name.toLowerCase()}@example.com`,
    "--role",
    role,
    ...more,
  );

describe("users list", () => {
  test("shows every user, newest first, as a table or as JSON, without any secret", async () => {
    const program = testCommands();
    rmSync(program.database);
    expect(await program.run("users", "list")).toMatchObject({ code: 1 });
    await program.run("seed", "--dealers", "1", "--vehicles", "0");
    expect(await program.run("users", "list")).toEqual({ code: 0, out: "", err: "There are no users.\n" });
    await make(program, "Sam", "super_admin");
    await make(program, "Robin\u001b[31m", "dealer_admin", "--dealer-id", "1", "--email", "robin@example.com");
    const { code, out, err } = await program.run("users", "list");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const lines = out.trimEnd().split("\n");
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^ID +NAME +EMAIL +ROLE +DEALER +STATE +CREATED$/);
    expect(lines[1]).toMatch(/^2 +Robin\S+ +robin@example\.com +dealer_admin +1 +active +20\d\d-/);
    expect(lines[2]).toMatch(/^1 +Sam +sam@example\.com +super_admin +- +active +20\d\d-/);
    expect(out).not.toContain("\u001b");
    const listed = JSON.parse((await program.run("users", "list", "--json")).out);
    expect(listed).toMatchObject([
      { id: 2, role: "dealer_admin" },
      { id: 1, email: "sam@example.com", active: true },
    ]);
    expect(JSON.stringify(listed)).not.toMatch(/password|hash|secret/);
  });

  test("shows the users of a role or dealer, or the newest few, and says that there are more", async () => {
    const program = testCommands();
    await program.run("seed", "--dealers", "1", "--vehicles", "0");
    for (const name of ["Sam", "Sky"]) await make(program, name, "super_admin");
    await make(program, "Robin", "user", "--dealer-id", "1");
    const ids = async (...args: string[]) =>
      JSON.parse((await program.run("users", "list", "--json", ...args)).out).map(({ id }: { id: number }) => id);
    expect(await ids("--role", "super_admin")).toEqual([2, 1]);
    expect(await ids("--dealer-id", "1")).toEqual([3]);
    expect(await ids("--limit", "2")).toEqual([3, 2]);
    expect((await program.run("users", "list", "--limit", "2")).err).toBe("2 of 3 users; --all shows the rest.\n");
  });
});

describe("users activate and deactivate", () => {
  test("deactivate and reactivate a user, as the audit log records", async () => {
    const program = testCommands();
    await make(program, "Robin", "user");
    const gone = await program.run("users", "deactivate", "1");
    expect(gone).toEqual({
      code: 0,
      out: "Deactivated user 1 (Robin); their sessions have ended and their keys are refused.\n",
      err: "",
    });
    expect(rowsOf(program.database, "SELECT active FROM users")).toEqual([{ active: 0 }]);
    expect((await program.run("users", "list")).out).toContain(" inactive ");
    expect((await program.run("users", "activate", "1")).out).toBe("Activated user 1 (Robin), user.\n");
    expect(rowsOf(program.database, "SELECT active FROM users")).toEqual([{ active: 1 }]);
    expect(
      rowsOf(program.database, "SELECT action, via FROM audit_entries WHERE action LIKE 'user.%activated'"),
    ).toEqual([
      { action: "user.deactivated", via: "command" },
      { action: "user.reactivated", via: "command" },
    ]);
  });

  test("warn if they have no effect because the user is active, or inactive, already", async () => {
    const program = testCommands();
    await make(program, "Robin", "user");
    const active = await program.run("users", "activate", "1");
    expect(active).toEqual({ code: 0, out: "", err: "warning: user 1 (Robin) was active already\n" });
    await program.run("users", "deactivate", "1");
    const inactive = await program.run("users", "deactivate", "1", "--json");
    expect(inactive).toMatchObject({ code: 0, err: "warning: user 1 (Robin) was inactive already\n" });
    expect(JSON.parse(inactive.out)).toMatchObject({ id: 1, active: false });
  });

  test("take effect in a running service: sessions end for good, and keys are refused until the user is active again", async () => {
    const program = testCommands();
    const service = await program.serve();
    await make(program, "Robin", "user");
    const tied = ["--name", "Robin's", "--app-type", "web", "--app-id", "site", "--user-id", "1"];
    const key = (await program.run("keys", "create", ...tied)).out.trim();
    const { out: link } = await program.run("users", "invite", "--id", "1", "--url", service.url);
    const browser = browserOn(service.url);
    expect((await browser.send("POST", invitationPath(link.trim()), { body: { password: PASSWORD } })).status).toBe(
      200,
    );
    const seen = async () => [
      (await fetch(`${service.url}/api/vehicles`, { headers: { "x-api-key": key } })).status,
      (await browser.send("GET", "/portal/api/session")).status,
    ];
    expect(await seen()).toEqual([200, 200]);
    await program.run("users", "deactivate", "1");
    await eventually(seen, (statuses) => statuses.every((status) => status === 401));
    await program.run("users", "activate", "1");
    await eventually(seen, ([api]) => api === 200);
    expect((await seen())[1]).toBe(401);
    await service.stop();
  });
});

describe("users show and keys show", () => {
  test("show every field of the record on its own line, without any secret or control character", async () => {
    const program = testCommands();
    await make(program, "Robin\u001b[31m", "user", "--email", "robin@example.com");
    const tied = ["--name", "Robin's", "--app-type", "web", "--app-id", "site", "--user-id", "1"];
    const secret = (await program.run("keys", "create", ...tied)).out.trim();
    for (const [kind, line] of [
      ["users", "email        robin@example.com"],
      ["keys", "user_id               1"],
    ] as const) {
      const { code, out, err } = await program.run(kind, "show", "1");
      const fields = Object.keys(JSON.parse((await program.run(kind, "show", "1", "--json")).out));
      expect({ code, err, fields: out.split("\n").map((text) => text.split(" ")[0]) }).toEqual({
        code: 0,
        err: "",
        fields: [...fields, ""],
      });
      expect(out).toContain(`\n${line}\n`);
      expect(out).toMatch(/\npermissions +vehicles:read, dealers:read, keys:read\n/);
      expect(out).not.toContain("\u001b");
      expect(out).not.toContain(secret);
    }
  });
});
