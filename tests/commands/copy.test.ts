import { expect, setDefaultTimeout, test } from "bun:test";
import { connect, ENGINES } from "../support/engines.ts";
import { migratedProgram, TEST_TIMEOUT_MS } from "../support/program.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

for (const engine of ENGINES.filter(({ name }) => name === "PostgreSQL"))
  test("a copy whose words of vehicles cannot all be made is complete, and a warning says who makes them", async () => {
    const place = migratedProgram();
    expect((await place.run("seed", "--dealers", "1", "--vehicles", "5", "--no-images")).code).toBe(0);
    const url = await engine.migratedUrl();
    const target = connect(url);
    await target.migrate(async (run) => {
      await run(`CREATE FUNCTION refuse_words() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'; END $$`);
      await run("CREATE TRIGGER refused BEFORE INSERT ON vehicle_words FOR EACH ROW EXECUTE FUNCTION refuse_words()");
    });
    await target.close();
    const { code, out, err } = await place.run("copy", "--from", `sqlite:${place.database}`, "--to", url);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^vehicles +5 {2}[0-9a-f]{64}$/m) });
    expect(out).toContain("Copied and verified in ");
    expect(err).toMatch(/^warning: .*; start the service on the target, or run reindex there, to make the others$/m);
    expect(err).not.toContain("    at ");
  });
