import { expect, setDefaultTimeout, test } from "bun:test";
import { inGate } from "../support/depth.ts";
import { eventually } from "../support/eventually.ts";
import { PROGRAM } from "../support/executable.ts";
import { rowsOf, TEST_TIMEOUT_MS, testProgram } from "../support/program.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const KEY = /^vis_desktop_bootstrap_\w+$/gm;
const ROUNDS = inGate(2, 3);

const works = async (url: string, key: string): Promise<boolean> =>
  (await fetch(`${url}/api/keys`, { headers: { "x-api-key": key } })).status === 200;

test("a first start that is killed at any moment leaves no key that nobody was shown", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const program = testProgram();
    const child = Bun.spawn([...PROGRAM, "serve"], {
      cwd: program.folder,
      env: { PATH: process.env.PATH, TMPDIR: program.folder, DATABASE_URL: `sqlite:${program.database}`, PORT: "0" },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
    });
    const stored = (): number => {
      try {
        return rowsOf(program.database, "SELECT id FROM api_keys").length;
      } catch {
        return 0;
      }
    };
    // The key is stored now, so it must have been shown before.
    await eventually(() => stored() > 0 || child.exitCode !== null, Boolean);
    child.kill("SIGKILL");
    await child.exited;
    const shown = (await new Response(child.stderr).text()).match(KEY) ?? [];
    expect(shown).toHaveLength(1);
    const serving = await program.serve();
    expect(await works(serving.url, shown[0] ?? "")).toBe(true);
    await serving.stop();
  }
});
