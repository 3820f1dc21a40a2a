import { afterExit } from "../../support/after-exit.ts";
import { BRIEFLY } from "../../support/briefly.ts";
import { eventually } from "../../support/eventually.ts";
import { PROGRAM } from "../../support/executable.ts";
import { freePort } from "../../support/ports.ts";
import { TESTS_SECRET_KEY } from "../../support/service.ts";

const KEY = "key-of-the-faults-0123456789abcdef";
const NO_LIMIT = 2_147_483_647;
const RESOURCES = ["vehicles", "dealers"];

/** The outcome of a request. */
export interface Outcome {
  readonly status: number;
  readonly code: string;
  readonly retryAfter: string | null;
  readonly body: Readonly<Record<string, unknown>>;
}

export type Send = (method: string, path: string, body?: object) => Promise<Outcome>;

/** The program in its own process, as an operator runs it. */
export interface Program {
  readonly url: string;
  /** Sends a super-admin's request, without a rate limit. A broken connection fails it. */
  readonly send: Send;
  /** Its log and error output. */
  output(): string;
  readonly exitCode: number | null;
  stop(): Promise<number>;
}

const sender =
  (url: string, key: string): Send =>
  async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { "x-api-key": key, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed = text === "" ? {} : JSON.parse(text);
    return {
      status: response.status,
      code: parsed.code ?? "",
      retryAfter: response.headers.get("retry-after"),
      body: parsed,
    };
  };

const spawn = (databaseUrl: string, environment: Readonly<Record<string, string>>) =>
  Bun.spawn([...PROGRAM], {
    env: {
      ...BRIEFLY,
      PATH: process.env.PATH,
      LOG_LEVEL: "error",
      BOOTSTRAP_API_KEY: KEY,
      SECRET_KEY: TESTS_SECRET_KEY,
      ...environment,
      DATABASE_URL: databaseUrl,
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });

/** Runs the program, which must end by itself. It does not wait for a database that is away, unless it is told to. */
export const runProgram = async (
  databaseUrl: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly complaint: string; readonly log: string }> => {
  const child = spawn(databaseUrl, { STARTUP_TIMEOUT: "0", ...environment, PORT: String(freePort()) });
  const [code, complaint, log] = await Promise.all([
    child.exited,
    new Response(child.stderr).text(),
    new Response(child.stdout).text(),
  ]);
  return { code, complaint, log };
};

/** Starts the program and waits until it is ready. */
export const startProgram = async (
  databaseUrl: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Program> => {
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(databaseUrl, { ...environment, PORT: String(port) });
  const release = afterExit('kill -KILL "$1"', String(child.pid));
  const output: string[] = [];
  const collect = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) output.push(decoder.decode(chunk, { stream: true }));
  };
  const read = Promise.all([collect(child.stdout), collect(child.stderr)]);
  const isReady = async (): Promise<boolean> => {
    if (child.exitCode !== null) {
      // The process may have ended before its last output is read.
      await read;
      throw new Error(`the program ended with ${child.exitCode}: ${output.join("")}`);
    }
    return (await fetch(`${url}/health/ready`).catch(() => null))?.status === 200;
  };
  await eventually(isReady, Boolean);
  const permissions = RESOURCES.flatMap((resource) =>
    ["read", "write", "delete"].map((action) => ({ resource, action })),
  );
  const key = { name: "Faults", app_type: "desktop", app_id: "faults", rate_limit: NO_LIMIT, permissions };
  // The limits of time may be short for a busy machine.
  const { body } = await eventually(
    () => sender(url, KEY)("POST", "/api/keys", key),
    ({ status }) => status === 201,
  );
  return {
    url,
    send: sender(url, String(body.api_key)),
    output: () => output.join(""),
    get exitCode() {
      return child.exitCode;
    },
    async stop() {
      child.kill("SIGTERM");
      const code = await child.exited;
      await Promise.all([read, release()]);
      return code;
    },
  };
};

export const DEALER = {
  name: "Harbor Motors",
  address: "1 Harbor Street",
  city: "Portland",
  state: "OR",
  zip: "97201",
  phone: "503-555-0100",
  email: "sales@harbor.example.com",
};
