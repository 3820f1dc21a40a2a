import { afterExit } from "./after-exit.ts";
import { eventually } from "./eventually.ts";
import { freePort } from "./ports.ts";

const SERVER = Bun.which("redis-server") ?? Bun.which("valkey-server");
const PASSWORD = "password-of-the-tests";

/** True if neither Redis nor Valkey is installed: suites that need one are then skipped. */
export const NO_REDIS = SERVER === null;
if (NO_REDIS)
  process.stderr.write("\n!!! Neither redis-server nor valkey-server is on the path: its tests are SKIPPED.\n\n");

/** A Redis server of the tests. */
export interface Redis {
  readonly url: string;
  /** Kills it, as a crash would. */
  kill(): Promise<void>;
  /** Starts it again, empty, on the same port. */
  start(): Promise<void>;
  /** Stalls it: it keeps and accepts connections but answers nothing. */
  stall(): void;
  resume(): void;
}

const answers = async (port: number): Promise<boolean> => {
  try {
    (await Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } })).end();
    return true;
  } catch {
    return false;
  }
};

/** Starts a server with a password on a free port. It ends with the test process at the latest. */
export const startRedis = async (): Promise<Redis> => {
  if (SERVER === null) throw new Error("no Redis is installed");
  const port = freePort();
  const launch = async () => {
    const settings = { port, bind: "127.0.0.1", save: "", appendonly: "no", requirepass: PASSWORD };
    const child = Bun.spawn(
      [SERVER, ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, `${value}`])],
      {
        stdin: "ignore",
        stdout: "ignore",
        stderr: "ignore",
      },
    );
    child.unref();
    const release = afterExit('kill -KILL "$1"', String(child.pid));
    await eventually(() => answers(port), Boolean);
    return { child, release };
  };
  let running = await launch();
  return {
    url: `redis://:${PASSWORD}@127.0.0.1:${port}`,
    async kill() {
      await running.release();
      await running.child.exited;
    },
    async start() {
      running = await launch();
    },
    stall: () => running.child.kill("SIGSTOP"),
    resume: () => running.child.kill("SIGCONT"),
  };
};
