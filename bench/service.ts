import { join } from "node:path";
import { KEY } from "./calls.ts";
import { onCore } from "./cores.ts";
import { freePort } from "./ports.ts";

const ROOT = join(import.meta.dir, "..");
const START_WAIT_MS = 60_000;
const POLL_MS = 20;

/** The service in a process of its own. `KEY` (calls.ts) is the key of its first super-admin. */
export interface Service {
  /** Without a slash at the end. */
  readonly url: string;
  readonly pid: number;
  /** Lets the service finish its work, and waits for its end. */
  stop(): Promise<void>;
  /** Kills the service in the middle of its work. */
  kill(): Promise<void>;
}

interface ServiceOptions {
  readonly databaseUrl: string;
  /** The folder of the files with the service's output. */
  readonly folder: string;
  /** The only core that the service may use. If it is left out, the service may use all cores. */
  readonly core?: number;
  /** The file into which the service writes the longest turn of its event loop when it stops (turn-watch.ts). */
  readonly turnsFile?: string;
  /** The folder of the service's source, if it is not that of this program. */
  readonly root?: string;
}

/** Waits until the service at this address accepts requests. Throws after a minute. */
export const untilReady = async (url: string): Promise<void> => {
  const deadline = performance.now() + START_WAIT_MS;
  while (!(await fetch(`${url}/health/ready`).catch(() => null))?.ok) {
    if (performance.now() > deadline) throw new Error(`nothing is ready at ${url}: look at what the service put out`);
    await Bun.sleep(POLL_MS);
  }
};

/** The running services. None of them outlives this process, however it ends. */
const running = new Set<Bun.Subprocess>();
process.prependListener("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Starts the service from its source on a free port, and waits until it accepts requests. */
export const startService = async ({
  databaseUrl,
  folder,
  core,
  turnsFile,
  root = ROOT,
}: ServiceOptions): Promise<Service> => {
  const port = freePort();
  const watch = turnsFile === undefined ? [] : ["--preload", join(import.meta.dir, "turn-watch.ts")];
  const command = [process.execPath, ...watch, "app/main.ts", "serve"];
  const child = Bun.spawn(core === undefined ? command : onCore(core, command), {
    cwd: root,
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
