import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { inGate } from "../support/depth.ts";
import { eventually } from "../support/eventually.ts";
import { PROGRAM } from "../support/executable.ts";
import { freePort } from "../support/ports.ts";
import { rowsOf, TEST_TIMEOUT_MS, testProgram } from "../support/program.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const KEY = /^vis_desktop_bootstrap_\w+$/gm;
const ROUNDS = inGate(2, 3);

const works = async (url: string, key: string): Promise<boolean> =>
  (await fetch(`${url}/api/keys`, { headers: { "x-api-key": key } })).status === 200;

test("an address that cannot be listened on ends a first start with one line, before a key is made and shown", async () => {
  const program = testProgram();
  const free = String(freePort());
  const taken = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  for (const [address, line] of [
    [{ PORT: String(taken.port) }, /^vehicle-inventory: port \d+ on 127\.0\.0\.1 is in use; [^\n]+\n$/],
    [{ PORT: free, METRICS_PORT: free }, /^vehicle-inventory: port \d+ on 127\.0\.0\.1 is in use; [^\n]+\n$/],
    [{ HOST: "203.0.113.7" }, /^vehicle-inventory: cannot listen on 203\.0\.113\.7:[^\n]+; check HOST and PORT\n$/],
  ] as const) {
    const failed = await program.runWith(address, "serve");
    expect(failed.code).toBe(1);
    expect(failed.err).toMatch(line);
    expect(existsSync(program.database)).toBe(false);
  }
  taken.stop(true);
  const serving = await program.serve();
  const { err } = await serving.stop();
  expect(err.match(KEY)).toHaveLength(1);
});

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
