import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { TEST_TIMEOUT_MS, testCommands } from "../support/program.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const ROBIN = ["users", "create", "--name", "Robin", "--email", "robin@example.com"];

describe("users create", () => {
  test("creates a user with the default permissions of the role", async () => {
    const program = testCommands();
    const { code, out, err } = await program.run(...ROBIN, "--role", "user", "--json");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(JSON.parse(out)).toMatchObject({
      ...{ id: 1, name: "Robin", email: "robin@example.com", role: "user", dealer_id: null, active: true },
      permissions: [
        { resource: "vehicles", action: "read" },
        { resource: "dealers", action: "read" },
        { resource: "keys", action: "read" },
      ],
    });
  });

  test("creates a dealer's admin, whose keys are bound to the dealer", async () => {
    const program = testCommands();
    await program.run("seed", "--dealers", "2", "--vehicles", "0");
    const made = await program.run(...ROBIN, "--role", "dealer_admin", "--dealer-id", "2", "--permission", "keys:read");
    expect(made).toEqual({ code: 0, out: "Created user 1 (Robin), dealer_admin.\n", err: "" });
    const key = await program.run(
      ...[
        "keys",
        "create",
        "--name",
        "Robin's",
        "--app-type",
        "desktop",
        "--app-id",
        "office",
        "--user-id",
        "1",
        "--json",
      ],
    );
    expect(JSON.parse(key.out)).toMatchObject({
      ...{ association: "user", user_id: 1, bound_dealer_id: 2 },
      permissions: [{ resource: "keys", action: "read" }],
    });
    expect((await program.run("keys", "list")).out).toMatch(/ user 1 \(dealer 2\) +active /);
  });
});
