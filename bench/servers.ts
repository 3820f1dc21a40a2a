import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Contender, ServerSetup } from "./contenders.ts";
import { onCore, SERVER_CORE } from "./cores.ts";
import { freePort } from "./ports.ts";
import { type Memory, memoryOf } from "./proc.ts";

const ROOT = join(import.meta.dir, "..");
const START_WAIT_MS = 20_000;
const STOP_WAIT_MS = 12_000;
const POLL_MS = 1;
const MAX_ERROR_CHARACTERS = 2000;

/** The server of a contender, which runs in its own process. */
export interface Server {
  readonly contender: Contender;
  readonly port: number;
  readonly pid: number;
  /** The time from starting the process to its first good answer. */
  readonly coldStartMs: number;
  memory(): Memory;
  /**
   * Describes the state of the server after a failed measurement: whether it still runs, and the end of its error
   * output.
   */
  diagnosis(): Promise<string>;
  stop(): Promise<void>;
}

const isAnswering = async (url: string, headers: Readonly<Record<string, string>>): Promise<boolean> => {
  try {
    const response = await fetch(url, { headers });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
};

/** The running servers. None of them outlives this process, however it ends. */
const running = new Set<Bun.Subprocess>();
process.prependListener("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/**
 * Starts a contender on a new copy of the data, and waits until it answers. Its output goes into files in its folder.
 */
export const startServer = async (contender: Contender, place: Omit<ServerSetup, "port">): Promise<Server> => {
  await mkdir(place.folder, { recursive: true });
  const port = freePort();
  const environment = await contender.environment({ ...place, port });
  const url = `http://127.0.0.1:${port}${contender.readyPath}`;
  const errors = Bun.file(join(place.folder, "errors.log"));
  const startedAt = performance.now();
  const child = Bun.spawn(onCore(SERVER_CORE, contender.command), {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdout: Bun.file(join(place.folder, "output.log")),
    stderr: errors,
  });
  running.add(child);
  while (!(await isAnswering(url, contender.headers(place.data)))) {
    const isOverdue = performance.now() - startedAt >= START_WAIT_MS;
    if (isOverdue || child.exitCode !== null) {
      child.kill("SIGKILL");
      throw new Error(`${contender.name} did not start: ${await errors.text()}`);
    }
    await Bun.sleep(POLL_MS);
  }
  return {
    contender,
    port,
    pid: child.pid,
    coldStartMs: performance.now() - startedAt,
    memory: () => memoryOf(child.pid),
    async diagnosis() {
      const state = child.exitCode ?? child.signalCode;
      const complaints = (await errors.text()).slice(-MAX_ERROR_CHARACTERS);
      return `${state === null ? "The server runs" : `The server had ended with ${state}`}. ${complaints}`;
    },
    async stop() {
      child.kill("SIGTERM");
      await Promise.race([child.exited, Bun.sleep(STOP_WAIT_MS)]);
      child.kill("SIGKILL");
      await child.exited;
      running.delete(child);
    },
  };
};
