import { existsSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "./ports.ts";
import { untilReady } from "./service.ts";

const PROGRAM = join(import.meta.dir, "../dist/vehicle-inventory");
const KEY = "bootstrap-key-of-measurements-and-pictures";
const PASSWORD = "correct horse battery staple";
const NO_LIMIT = 2_147_483_647;
const EVERY_PAIR = ["vehicles", "dealers", "keys", "users", "audit"].flatMap((resource) =>
  ["read", "write", "delete"].map((action) => ({ resource, action })),
);

type Json = Readonly<Record<string, unknown>>;

/** The compiled program with a portal and a signed-in user. */
export interface PortalServer {
  readonly url: string;
  /** The session of the first super-admin. */
  readonly cookie: { readonly name: string; readonly value: string; readonly url: string };
  /** Sends a request with a super-admin's key. Throws if it fails. */
  call<Answer = { readonly id: number }>(
    method: string,
    path: string,
    asked?: { readonly body?: Json; readonly key?: string },
  ): Promise<Answer>;
  stop(): Promise<void>;
}

/** Runs a command of the program on a database until it ends. */
export const runCommand = async (databaseUrl: string, ...args: readonly string[]): Promise<void> => {
  const child = Bun.spawn([PROGRAM, ...args], {
    env: { DATABASE_URL: databaseUrl },
    stdout: "ignore",
    stderr: "ignore",
  });
  if ((await child.exited) !== 0) throw new Error(`${args.join(" ")} ended with ${child.exitCode}`);
};

/** Collects a program's output. */
const collect = async (stream: ReadableStream<Uint8Array>, into: string[]): Promise<void> => {
  const decoder = new TextDecoder();
  for await (const chunk of stream) into.push(decoder.decode(chunk, { stream: true }));
};

/** Starts the compiled program on a database without users who can sign in, and signs `name` in. */
export const startPortal = async (databaseUrl: string, name: string): Promise<PortalServer> => {
  if (!existsSync(PROGRAM)) throw new Error("there is no compiled program: run `bun run build` first");
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...{ DATABASE_URL: databaseUrl, BOOTSTRAP_API_KEY: KEY, LOG_LEVEL: "silent", PORT: String(port) },
    MAX_KEYS_PER_DEALER: "100000",
  };
  const child = Bun.spawn([PROGRAM], { env, stdout: "ignore", stderr: "pipe" });
  process.prependListener("exit", () => child.kill("SIGKILL"));
  const errorOutput: string[] = [];
  void collect(child.stderr, errorOutput);
  await untilReady(url);
  const link = /http\S+\/portal\/invitations\/\S+/.exec(errorOutput.join(""))?.[0];
  if (link === undefined) throw new Error(`no set-up link was printed: ${errorOutput.join("")}`);

  const call = async <Answer>(
    method: string,
    path: string,
    { body, key = KEY }: { readonly body?: Json; readonly key?: string } = {},
  ): Promise<Answer> => {
    const headers = { "x-api-key": key, "content-type": "application/json" };
    const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer;
  };
  const unlimited = await call<{ readonly api_key: string }>("POST", "/api/keys", {
    body: {
      ...{ name: "Nightly import", app_type: "web", app_id: "import", rate_limit: NO_LIMIT, permissions: EVERY_PAIR },
    },
  });
  const accepted = await fetch(`${url}/portal/api/invitations/${link.split("/").at(-1)}`, {
    method: "POST",
    headers: { origin: url, "content-type": "application/json" },
    body: JSON.stringify({ name, email: "sam@example.com", password: PASSWORD }),
  });
  const [, cookieName = "", value = ""] = /^([^=]+)=([^;]+)/.exec(accepted.headers.getSetCookie()[0] ?? "") ?? [];
  return {
    url,
    cookie: { name: cookieName, value, url },
    call: (method, path, asked) => call(method, path, { key: unlimited.api_key, ...asked }),
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
};
