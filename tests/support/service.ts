import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { PASSWORD_COST, type PasswordCost } from "../../adapters/sign-in/passwords.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { compose, type Service } from "../../app/compose.ts";
import { readConfig } from "../../app/config.ts";
import { openEvents } from "../../app/log.ts";
import type { Clock, Timers } from "../../core/clock.ts";
import { EVERY_PERMISSION, pairsOfSet } from "../../core/permissions.ts";
import { afterExit } from "./after-exit.ts";
import { BRIEFLY } from "./briefly.ts";
import { type Api, clientOf, documentationAt } from "./client.ts";
import { type FakeClock, serviceClock } from "./clock.ts";
import type { Documentation } from "./documentation.ts";
import { PATIENT, type TestEngine } from "./engines.ts";
import { eventually } from "./eventually.ts";
import { HUNG_MS } from "./hung.ts";
import { freePort } from "./ports.ts";
import { scratchFolder } from "./scratch-folder.ts";

/** The running service on its port, as users reach it. */
export interface TestService {
  readonly url: string;
  readonly databaseUrl: string;
  /** A client with a super-admin's key that no rate limit stops. */
  readonly api: Api;
  readonly superAdminKey: string;
  readonly bootstrapKey: string;
  /** The link of the first super-admin that the start printed; `null` if it printed none. */
  readonly setUpLink: string | null;
  /** Everything it has logged. */
  log(): string;
  /** Its clock, which stands still until a test moves it; the machine's if it is a program. */
  readonly clock: Clock & Timers;
  /** The time `seconds` from now, by its clock. */
  after(seconds: number): string;
  /** Moves its clock forwards. Fails if it is a program (see `testMovingClock`). */
  pass(seconds: number): Promise<void>;
  /**
   * Moves its clock forwards, and does what its slow timers do until then. The timers of a program do so by themselves,
   * later: `eventually` waits for them.
   */
  runTimers(seconds: number): Promise<void>;
  close(): Promise<void>;
}

interface Running {
  readonly url: string;
  readonly setUpLink: string | null;
  readonly log: () => string;
  readonly clock: Clock & Timers;
  readonly pass: (seconds: number) => Promise<void>;
  readonly runTimers: (seconds: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

type Environment = Readonly<Record<string, string>>;

/** The same for every tested service, so that a copied database works with another one. */
export const TESTS_SECRET_KEY = Bun.SHA256.hash("the tests", "base64");

/** The lowest cost argon2id allows: most tests do not depend on slow hashing. */
const CHEAPEST_HASH: PasswordCost = { memoryCost: 8, timeCost: 1 };

/** How a tested service is run. */
export interface Run {
  /** Starts it as a separate program instead of in this process. */
  readonly command?: readonly string[];
  /** True to hash passwords at the cost of production. A program always does. */
  readonly realPasswordCost?: boolean;
  /**
   * The clock it uses in this process. By default one that stands still and that services on the same database share;
   * the machine's for tests whose requests run out of time while a statement of SQLite keeps this process.
   */
  readonly clock?: Clock & Timers;
  /** How long it waits for open requests when it is closed; as in production by default. */
  readonly drainMs?: number;
}

/** A limit that no test reaches. */
export const NO_LIMIT = 2_147_483_647;

/** The compiled program, if it is tested in place of the sources. */
const BINARY = process.env.TEST_BINARY === undefined ? undefined : resolve(process.env.TEST_BINARY);
/** True if tests can advance the clock: the compiled program uses the machine's. */
export const CAN_ADVANCE_CLOCK = BINARY === undefined;
/** The time at which services start, for what is written before one runs. */
export const STARTING_CLOCK: Clock = CAN_ADVANCE_CLOCK ? serviceClock() : systemClock;

const clocks = new Map<string, FakeClock>();
/** The clock of all services on a database: time passes for all of them, also for one that is started later. */
const clockFor = (databaseUrl = ""): FakeClock => {
  const clock = clocks.get(databaseUrl) ?? serviceClock();
  clocks.set(databaseUrl, clock);
  return clock;
};

const isFake = (clock: Clock & Timers): clock is FakeClock => "advance" in clock;

const startInProcess = async (
  environment: Environment,
  { realPasswordCost = false, clock = clockFor(environment.DATABASE_URL), drainMs }: Run,
): Promise<Running> => {
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  const log = { events: openEvents("trace", { write }), access: write };
  const earlier = process.listeners("beforeExit");
  let service: Service | null = await compose(readConfig({ ...environment, PORT: "0" }), log, {
    clock,
    passwordCost: realPasswordCost ? PASSWORD_COST : CHEAPEST_HASH,
    longestTransactionMs: HUNG_MS,
    ...(drainMs !== undefined && { drainMs }),
  });
  const { server, setUpLink } = service;
  // The framework keeps each server for the end of the process, and tests keep what is returned here. Neither keeps a
  // service that is closed: some hundred of them were most of the memory, and a third of the CPU seconds went to it.
  let ofExit = process.listeners("beforeExit").filter((listener) => !earlier.includes(listener));
  const endService = async (ending: Service): Promise<void> => {
    for (const listener of ofExit) process.off("beforeExit", listener);
    ofExit = [];
    await ending.close();
  };
  let closing: Promise<void> | undefined;
  return {
    url: server.url,
    setUpLink,
    log: () => lines.join(""),
    clock,
    async pass(seconds) {
      if (!isFake(clock)) throw new Error("this clock cannot be moved");
      clock.advance(seconds * 1000);
    },
    async runTimers(seconds) {
      if (isFake(clock)) await clock.runTimers(seconds * 1000);
    },
    close() {
      if (service !== null) closing = endService(service);
      service = null;
      return closing ?? Promise.resolve();
    },
  };
};

const collect = async (stream: ReadableStream<Uint8Array>, into: string[]): Promise<void> => {
  const decoder = new TextDecoder();
  for await (const chunk of stream) into.push(decoder.decode(chunk, { stream: true }));
};

const startProgram = async (command: readonly string[], environment: Environment): Promise<Running> => {
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  // Run in its own folder: the program must not depend on the folder in which it was built.
  const cwd = mkdtempSync(join(tmpdir(), "vehicle-inventory-binary-"));
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...BRIEFLY, ...environment, PORT: String(port), LOG_LEVEL: "trace", TMPDIR: cwd },
    stdout: "pipe",
    stderr: "pipe",
  });
  const release = afterExit('kill -KILL "$1"; rm -rf "$2"', String(child.pid), cwd);
  const [output, errors]: [string[], string[]] = [[], []];
  const read = Promise.all([collect(child.stdout, output), collect(child.stderr, errors)]);
  const isReady = async (): Promise<boolean> => {
    if (child.exitCode !== null) {
      // Its exit may be reported before its last output is read.
      await read;
      throw new Error(`the program ended with ${child.exitCode}: ${errors.join("")}`);
    }
    return (await fetch(`${url}/health/ready`).catch(() => null))?.status === 200;
  };
  await eventually(isReady, Boolean);
  // It may be ready before the last lines it prints at start are read.
  await eventually(() => errors.join("").includes("First request"), Boolean);
  return {
    url,
    setUpLink: /http\S+\/portal\/invitations\/\S+/.exec(errors.join(""))?.[0] ?? null,
    log: () => output.join(""),
    clock: systemClock,
    async pass() {
      throw new Error("the time of a program cannot be moved");
    },
    async runTimers() {},
    async close() {
      child.kill("SIGTERM");
      const code = await child.exited;
      await Promise.all([read, release()]);
      if (code !== 0) throw new Error(`the program ended with ${code}: ${errors.join("")}`);
    },
  };
};

const photoFolders = scratchFolder("vehicle-inventory-photos-");
afterExit('rm -rf "$1"', photoFolders);

/** The folder of photos of all services on a database. */
export const photoFolderOf = (databaseUrl: string): string => join(photoFolders, Bun.hash(databaseUrl).toString(36));

let services = 0;

/** The documentations of the services in this process and of the program: they depend on the routes alone, and take a third of a start. */
const documentations = new Map<string, Promise<Documentation>>();
const documentationOfThese = (url: string, program = "this process"): Promise<Documentation> => {
  const known = documentations.get(program) ?? documentationAt(url);
  documentations.set(program, known);
  return known;
};

/**
 * Starts the service on a database of this engine: a fresh one, or the one at `DATABASE_URL`. `environment` configures
 * it; by default it trusts one proxy. It runs in this process, or as a program (see `Run`), or as the compiled program
 * if that is under test.
 */
export const startService = async (
  engine: TestEngine,
  environment: Environment = {},
  run: Run = {},
): Promise<TestService> => {
  const databaseUrl = environment.DATABASE_URL ?? (await engine.migratedUrl());
  const bootstrapKey = environment.BOOTSTRAP_API_KEY ?? `bootstrap-key-of-the-tests-number-${++services}`;
  const variables = {
    TRUSTED_PROXY_HOPS: "1",
    // A single admin invites all users of a test.
    INVITATIONS_PER_HOUR: "10000",
    ...PATIENT,
    SECRET_KEY: TESTS_SECRET_KEY,
    ...(environment.IMAGE_DELIVERY_BASE === undefined && { IMAGE_STORAGE: photoFolderOf(databaseUrl) }),
    ...environment,
    DATABASE_URL: databaseUrl,
    BOOTSTRAP_API_KEY: bootstrapKey,
  };
  const program = BINARY === undefined ? run.command : [BINARY];
  const running = await (program === undefined || run.clock !== undefined
    ? startInProcess(variables, run)
    : startProgram(program, variables));
  const documentation = await documentationOfThese(running.url, program?.join(" "));
  const superAdminKey = await makeSuperAdmin(clientOf(running.url, bootstrapKey, documentation));
  const api = clientOf(running.url, superAdminKey, documentation);
  return { ...running, after: running.clock.after, databaseUrl, bootstrapKey, superAdminKey, api };
};

/** A super-admin's key that no limit stops, with an app type that no test requires callers to state. */
const makeSuperAdmin = async (api: Api): Promise<string> => {
  const body = { name: "Super-admin", app_type: "web", app_id: "tests", rate_limit: NO_LIMIT, permissions: EVERY_PAIR };
  const reply = await api<{ api_key: string }>("POST", "/api/keys", { body, headers: { "x-app-type": "desktop" } });
  if (reply.status !== 201) throw new Error(`no super-admin's key: ${reply.status} ${reply.text}`);
  return reply.body.api_key;
};

/** A permission in the API's form: `vehicles:read` as resource and action. */
export const pair = (permission: string): { resource: string; action: string } => {
  const [resource = "", action = ""] = permission.split(":");
  return { resource, action };
};

export const pairs = (...permissions: readonly string[]) => permissions.map(pair);

/** Every permission. */
export const EVERY_PAIR = pairsOfSet(EVERY_PERMISSION);
