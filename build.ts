import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ENTRY_POINTS } from "./app/entry-points.ts";
import { embedPortal } from "./app/portal-embedding.ts";

/*
 * Makes `dist/vehicle-inventory`, one program with everything inside: runtime, database engine, migrations, the portal
 * and the reference page, compiled to bytecode so that it is ready in a fraction of the time that loading the sources
 * takes. Names are kept as they are: the router reads its handlers' text at start.
 *
 * With `--if-changed` it makes nothing if the program was made from the present sources.
 */

const ROOT = import.meta.dir;
const PROGRAM = join(ROOT, "dist/vehicle-inventory");
/** The hash of what the program was made from. */
const MADE_FROM = `${PROGRAM}.made-from`;
/** Has the number of the process that builds. */
const LOCK = `${PROGRAM}.lock`;
const LOCK_POLL_MS = 100;

const contentOf = (file: string): string | null => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
};

/** The hash of everything that the program is made from. */
const hashOfSources = (): string => {
  const sources = [...new Bun.Glob("{core,adapters,app,migrations}/**").scanSync({ cwd: ROOT, onlyFiles: true })];
  const hash = new Bun.CryptoHasher("sha256").update(Bun.version_with_sha);
  for (const file of [...sources.sort(), "build.ts", "bun.lock", "package.json", "tsconfig.json"])
    hash.update(`\0${file}\0`).update(readFileSync(join(ROOT, file)));
  return hash.digest("hex");
};

const isMadeFrom = (hash: string): boolean => contentOf(MADE_FROM) === hash && Bun.file(PROGRAM).size > 0;

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Waits until no other process builds. A lock whose process has ended counts for nothing. */
const lock = async (): Promise<void> => {
  mkdirSync(join(ROOT, "dist"), { recursive: true });
  for (;;) {
    try {
      return writeFileSync(LOCK, String(process.pid), { flag: "wx" });
    } catch {
      if (isRunning(Number(contentOf(LOCK)))) await Bun.sleep(LOCK_POLL_MS);
      else rmSync(LOCK, { force: true });
    }
  }
};

const build = async (): Promise<void> => {
  const { logs, success } = await Bun.build({
    entrypoints: [...ENTRY_POINTS],
    compile: { outfile: PROGRAM },
    bytecode: true,
    // What is imported only when it is needed, such as the mailer, is a module of its own, and is not loaded before.
    splitting: true,
    format: "esm",
    plugins: [embedPortal(join(ROOT, "adapters/portal/index.html"), join(ROOT, "dist/portal"))],
    minify: { whitespace: true, syntax: true, identifiers: false },
    define: {
      "process.platform": JSON.stringify(process.platform),
      "process.arch": JSON.stringify(process.arch),
      "process.env.NODE_ENV": JSON.stringify("production"),
    },
    throw: false,
  });
  for (const message of logs) process.stderr.write(`${message}\n`);
  if (!success) process.exit(1);
};

await lock();
process.once("exit", () => rmSync(LOCK, { force: true }));
const hash = hashOfSources();
if (!process.argv.includes("--if-changed") || !isMadeFrom(hash)) {
  rmSync(MADE_FROM, { force: true });
  await build();
  writeFileSync(MADE_FROM, hash);
  process.stdout.write(`dist/vehicle-inventory: ${Math.round(Bun.file(PROGRAM).size / 1024 ** 2)} MB\n`);
}
