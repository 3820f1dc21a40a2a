import { join } from "node:path";
import { KEY } from "./calls.ts";
import { onCore } from "./cores.ts";
import { freePort } from "./ports.ts";

const ROOT = join(import.meta.dir, "..");
const START_WAIT_MS = 60_000;
const POLL_MS = 20;

/** The service in a process of its own, with `KEY` (calls.ts) as its first super-admin's key. */
export interface Service {
  /** Without a slash at the end. */
  readonly url: string;
  readonly pid: number;
  /** Lets it finish its work, and waits for its end. */
  stop(): Promise<void>;
  /** Kills it in the middle of its work. */
  kill(): Promise<void>;
}

interface ServiceOptions {
  readonly databaseUrl: string;
  /** The folder of the files with its output. */
  readonly folder: string;
  /** The only core it may use; any if left out. */
  readonly core?: number;
  /** Where it writes the longest turn of its event loop when it stops (turn-watch.ts); nowhere if left out. */
  readonly turnsFile?: string;
}

/** Waits until the service at this address takes requests. Throws after a minute. */
export const untilReady = async (url: string): Promise<void> => {
  const deadline = performance.now() + START_WAIT_MS;
  while (!(await fetch(`${url}/health/ready`).catch(() => null))?.ok) {
    if (performance.now() > deadline) throw new Error(`nothing is ready at ${url}: look at what the service put out`);
    await Bun.sleep(POLL_MS);
  }
};

/** The running services: none outlives this process, however that ends. */
const running = new Set<Bun.Subprocess>();
process.prependListener("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Starts the service from its source on a free port, and waits until it takes requests. */
export const startService = async ({ databaseUrl, folder, core, turnsFile }: ServiceOptions): Promise<Service> => {
  const port = freePort();
  const watch = turnsFile === undefined ? [] : ["--preload", join(import.meta.dir, "turn-watch.ts")];
  const command = [process.execPath, ...watch, "app/main.ts", "serve"];
  const child = Bun.spawn(core === undefined ? command : onCore(core, command), {
    cwd: ROOT,
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      BOOTSTRAP_API_KEY: KEY,
      ...(turnsFile !== undefined && { TURNS_FILE: turnsFile }),
    },
    stdout: Bun.file(join(folder, "output.log")),
    stderr: Bun.file(join(folder, "errors.log")),
  });
  running.add(child);
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url);
  const end = async (signal: "SIGTERM" | "SIGKILL"): Promise<void> => {
    child.kill(signal);
    await child.exited;
    running.delete(child);
  };
  return { url, pid: child.pid, stop: () => end("SIGTERM"), kill: () => end("SIGKILL") };
};
