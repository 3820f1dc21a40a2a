import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterExit } from "./after-exit.ts";
import { BRIEFLY } from "./briefly.ts";
import { freshAddress } from "./client.ts";
import { eventually } from "./eventually.ts";
import { PROGRAM } from "./executable.ts";
import { freePort } from "./ports.ts";
import { TESTS_SECRET_KEY } from "./service.ts";

type Environment = Readonly<Record<string, string>>;

/** The service in its own process. */
export interface Instance {
  readonly url: string;
  /** Everything it has written so far, on both streams. */
  output(): string;
  /** Asks it to stop, as an operator would, and returns its exit code. */
  stop(): Promise<number>;
  /** Its exit code, once it has ended. */
  readonly exited: Promise<number>;
  /** From then on `output` has everything it wrote. */
  signal(name: NodeJS.Signals): void;
}

/** A key that works on every instance of the tests. */
export const BOOTSTRAP_KEY = "bootstrap-key-of-the-instances-of-the-tests";

const folder = mkdtempSync(join(tmpdir(), "vehicle-inventory-instances-"));
afterExit('rm -rf "$1"', folder);

/** Starts a process without waiting until it serves. It ends with the test process at the latest. */
export const launchInstance = (environment: Environment, program: readonly string[] = PROGRAM): Instance => {
  const port = freePort();
  const child = Bun.spawn([...program], {
    cwd: folder,
    env: {
      ...BRIEFLY,
      PATH: process.env.PATH ?? "",
      TMPDIR: folder,
      LOG_LEVEL: "warn",
      TRUSTED_PROXY_HOPS: "1",
      ...environment,
      PORT: String(port),
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const release = afterExit('kill -KILL "$1"', String(child.pid));
  const written: string[] = [];
  const collect = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) written.push(decoder.decode(chunk, { stream: true }));
  };
  const exited = Promise.all([child.exited, collect(child.stdout), collect(child.stderr)]).then(async ([code]) => {
    await release();
    return code;
  });
  return {
    url: `http://127.0.0.1:${port}`,
    output: () => written.join(""),
    exited,
    signal: (name) => child.kill(name),
    stop() {
      child.kill("SIGTERM");
      return exited;
    },
  };
};

/** Waits until the instance serves; if it ends instead, fails with its output. */
export const untilReady = async (instance: Instance): Promise<Instance> => {
  let ended: number | undefined;
  void instance.exited.then((code) => {
    ended = code;
  });
  await eventually(
    async () => {
      if (ended !== undefined) throw new Error(`the instance ended with ${ended}: ${instance.output()}`);
      return (await fetch(`${instance.url}/health/ready`).catch(() => null))?.status;
    },
    (status) => status === 200,
  );
  return instance;
};

/** Starts `count` instances on one database, and waits until all serve. */
export const startInstances = (count: number, environment: Environment): Promise<Instance[]> =>
  Promise.all(
    Array.from({ length: count }, () =>
      untilReady(launchInstance({ BOOTSTRAP_API_KEY: BOOTSTRAP_KEY, SECRET_KEY: TESTS_SECRET_KEY, ...environment })),
    ),
  );

/** Sends a request from a new client address, reads the answer and returns its status. */
export const statusOf = async (url: string, key: string, init: RequestInit = {}): Promise<number> => {
  const response = await fetch(url, { ...init, headers: { "x-api-key": key, "x-forwarded-for": freshAddress() } });
  await response.arrayBuffer();
  return response.status;
};

/** Creates a key that may read vehicles. */
export const makeKey = async (
  { url }: Instance,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly id: number; readonly api_key: string }> => {
  const response = await fetch(`${url}/api/keys`, {
    method: "POST",
    headers: { "x-api-key": BOOTSTRAP_KEY, "content-type": "application/json" },
    body: JSON.stringify({ name: "Instances", app_type: "web", app_id: "instances", ...fields }),
  });
  if (response.status !== 201) throw new Error(`no key was made: ${response.status} ${await response.text()}`);
  return (await response.json()) as { id: number; api_key: string };
};
