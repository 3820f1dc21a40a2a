import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { PATIENCE_MS, rowsOf, testProgram } from "../support/program.ts";

setDefaultTimeout(PATIENCE_MS);

type Place = ReturnType<typeof testProgram>;

const make = (place: Place, name: string, role: string, ...more: string[]) =>
  place.run("users", "create", "--name", name, "--email", `${name.toLowerCase()}@example.com`, "--role", role, ...more);

describe("users list", () => {
  test("shows every user, the newest first, as a table or as JSON, without anything secret", async () => {
    const place = testProgram();
    expect(await place.run("users", "list")).toMatchObject({ code: 1 });
    await place.run("seed", "--dealers", "1", "--vehicles", "0");
    expect(await place.run("users", "list")).toEqual({ code: 0, out: "", err: "There are no users.\n" });
    await make(place, "Sam", "super_admin");
    await make(place, "Robin\u001b[31m", "dealer_admin", "--dealer-id", "1", "--email", "robin@example.com");
    const { code, out, err } = await place.run("users", "list");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const lines = out.trimEnd().split("\n");
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^ID +NAME +EMAIL +ROLE +DEALER +STATE +CREATED$/);
    expect(lines[1]).toMatch(/^2 +Robin\S+ +robin@example\.com +dealer_admin +1 +active +20\d\d-/);
    expect(lines[2]).toMatch(/^1 +Sam +sam@example\.com +super_admin +- +active +20\d\d-/);
    expect(out).not.toContain("\u001b");
    const listed = JSON.parse((await place.run("users", "list", "--json")).out);
    expect(listed).toMatchObject([
      { id: 2, role: "dealer_admin" },
      { id: 1, email: "sam@example.com", active: true },
    ]);
    expect(JSON.stringify(listed)).not.toMatch(/password|hash|secret/);
  });

  test("shows those of a role or dealer, or the newest few, and says that there are more", async () => {
    const place = testProgram();
    await place.run("seed", "--dealers", "1", "--vehicles", "0");
    for (const name of ["Sam", "Sky"]) await make(place, name, "super_admin");
    await make(place, "Robin", "user", "--dealer-id", "1");
    const ids = async (...args: string[]) =>
      JSON.parse((await place.run("users", "list", "--json", ...args)).out).map(({ id }: { id: number }) => id);
    expect(await ids("--role", "super_admin")).toEqual([2, 1]);
    expect(await ids("--dealer-id", "1")).toEqual([3]);
    expect(await ids("--limit", "2")).toEqual([3, 2]);
    expect((await place.run("users", "list", "--limit", "2")).err).toBe("2 of 3 users; --all shows the rest.\n");
    expect((await place.run("users", "list", "--role", "boss")).code).toBe(2);
  });
});

describe("users activate and deactivate", () => {
  test("end a user and bring them back, with the audit log saying so", async () => {
    const place = testProgram();
    await make(place, "Robin", "user");
    const gone = await place.run("users", "deactivate", "1");
    expect(gone).toEqual({
      code: 0,
      out: "Deactivated user 1 (Robin); their sessions have ended and their keys are refused.\n",
      err: "",
    });
    expect(rowsOf(place.database, "SELECT active FROM users")).toEqual([{ active: 0 }]);
    expect((await place.run("users", "list")).out).toContain(" inactive ");
    expect((await place.run("users", "activate", "1")).out).toBe("Activated user 1 (Robin), user.\n");
    expect(rowsOf(place.database, "SELECT active FROM users")).toEqual([{ active: 1 }]);
    expect(rowsOf(place.database, "SELECT action, via FROM audit_entries WHERE action = 'user.changed'")).toEqual([
      { action: "user.changed", via: "command" },
      { action: "user.changed", via: "command" },
    ]);
  });

  test("refuse in words: the last super-admin, and who is not there", async () => {
    const place = testProgram();
    await make(place, "Sam", "super_admin");
    const last = await place.run("users", "deactivate", "1");
    expect(last).toEqual({
      code: 1,
      out: "",
      err: "vehicle-inventory: this is the last active super-admin; make another one first\n",
    });
    expect(rowsOf(place.database, "SELECT active FROM users")).toEqual([{ active: 1 }]);
    for (const command of ["activate", "deactivate"])
      expect(await place.run("users", command, "7")).toMatchObject({
        code: 1,
        err: "vehicle-inventory: user 7 not found\n",
      });
    expect((await place.run("users", "activate", "Sam")).code).toBe(2);
  });
});
