import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import { isAt, OF_NO_DEALER, ON_WAITING_IMPORTS, OPERATIONS, sentBy } from "../http/operations.ts";
import { FIRST_OF_EACH, missingTargets, type Targets } from "../http/targets.ts";
import {
  type Browser,
  browserOn,
  FIRST,
  firstAdmin,
  invitationPath,
  inviteAndSignIn,
  makePerson,
  PASSWORD,
  type SentByPage,
  signIn,
} from "../support/browser.ts";
import { freshAddress } from "../support/client.ts";
import { type DeclaredOperation, declaredIn } from "../support/declared-errors.ts";
import { ANSWERING, ENGINES } from "../support/engines.ts";
import { moveProofs } from "../support/proofs.ts";
import { type Relay, startRelay } from "../support/relay.ts";
import { type Created, create, keyBody, NORTH, NOTHING, userBody } from "../support/sample-records.ts";
import { CAN_ADVANCE_CLOCK, EVERY_PAIR, pairs, startService, type TestService } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const ALL = [...OPERATIONS, ...OF_NO_DEALER, ...ON_WAITING_IMPORTS];
const QUOTA = 6;
const TOKEN = "A".repeat(43);
const TOO_LARGE = " ".repeat(1024 * 1024 + 1);
const WRONG = "wrong horse battery staple";
const FOREIGN = { origin: "https://evil.example.com", "sec-fetch-site": "cross-site" };
/** The permissions of NORTH's admin: all except those on the audit log. */
const NORTH_PERMISSIONS = EVERY_PAIR.filter(({ resource }) => resource !== "audit");

/** Bodies for the operations that only the portal has. */
const BODIES: Readonly<Record<string, object>> = {
  offboardUser: { keys: "revoke" },
  signIn: { email: "nobody@example.com", password: PASSWORD },
  proveSecondFactor: { code: "123456" },
  acceptInvitation: { password: PASSWORD },
  reauthenticate: { password: PASSWORD },
  changePassword: { current_password: PASSWORD, new_password: "another horse battery staple" },
  changeEmail: { email: "another@example.com", password: PASSWORD },
  offerSecondFactor: { password: PASSWORD },
  confirmSecondFactor: { code: "123456" },
  removeSecondFactor: { password: PASSWORD },
  renewRecoveryCodes: { password: PASSWORD },
};

/** The senders of requests. */
interface Callers {
  readonly admin: Browser;
  /** Not signed in. */
  readonly nobody: Browser;
  /** Without permissions. */
  readonly powerless: Browser;
  /** An admin of the dealer NORTH. */
  readonly north: Browser;
  /** A super-admin whose last proof is an hour old. */
  readonly stale: Browser;
  /** A super-admin who has used up the requests of a minute. */
  readonly busy: Browser;
  /** At an address that has used up the requests of a minute. */
  readonly crowd: Browser;
  /** Signed in, with too many wrong passwords in this session. */
  locked: Browser;
}

/** The values that a provocation may use. */
interface ErrorContext {
  readonly service: TestService;
  readonly callers: Callers;
  readonly declared: DeclaredOperation;
  readonly ids: Readonly<Record<"self" | "superUser" | "superKey" | "strongUser", number>>;
}

/** The sender of a request, and how the request differs from the usual one. */
interface Difference extends SentByPage {
  readonly by?: Browser;
  readonly at?: Targets;
  readonly path?: string;
}
type Provocation = (context: ErrorContext) => Difference | Promise<Difference>;

const pathOf = ({ method, path }: DeclaredOperation, at: Targets): string => {
  const inside = path.replace("/portal/", "/");
  const operation = ALL.find((one) => isAt(one, { method, path: inside }));
  if (operation !== undefined) return `/portal${operation.path(at)}`;
  return path
    .replace("{token}", TOKEN)
    .replaceAll(/\{\w+\}/g, String(at.user))
    .replace(/key-usage$/, "key-usage?ids=1");
};

const usualOf = ({ name, method, path }: DeclaredOperation, at: Targets): SentByPage => {
  if (BODIES[name] !== undefined) return { body: BODIES[name] };
  const operation = ALL.find((one) => isAt(one, { method, path: path.replace("/portal/", "/") }));
  return operation === undefined ? {} : sentBy(operation, at);
};

const badParameter: Provocation = ({ declared }) => {
  const path = pathOf(declared, FIRST_OF_EACH);
  if (BODIES[declared.name] !== undefined) return { body: { nonsense: 1 } };
  if (/\d/.test(path)) return { path: path.replace(/\d+/, "x") };
  return declared.method === "GET" ? { path: `${path}?${declared.query[0]}=%ff` } : { body: { nonsense: 1 } };
};

/** Errors that every operation gives for the same reason. */
const PROVOCATIONS: Readonly<Record<string, Provocation>> = {
  signed_out: ({ callers }) => ({ by: callers.nobody }),
  cross_origin: () => ({ headers: FOREIGN }),
  reauthentication_required: ({ callers, ids }) => ({
    by: callers.stale,
    at: { ...FIRST_OF_EACH, key: ids.superKey, user: ids.superUser },
  }),
  rate_limit_exceeded: ({ callers }) => ({ by: callers.busy }),
  permission_missing: ({ callers }) => ({ by: callers.powerless }),
  dealer_bound: ({ callers }) => ({ by: callers.north }),
  invalid_input: badParameter,
  invalid_json: () => ({ raw: "{" }),
  body_too_large: () => ({ raw: TOO_LARGE }),
  unsupported_media_type: () => ({ raw: "{}", headers: { "content-type": "text/plain" } }),
  import_file_unreadable: () => ({ raw: "" }),
  import_file_too_large: () => ({ raw: `VIN\n${"1".repeat(300_000)}\n` }),
  not_found: () => ({ at: missingTargets(NOTHING) }),
  locked_out: ({ callers }) => ({ by: callers.locked }),
};

const byCrowd: Provocation = ({ callers }) => ({ by: callers.crowd });
const onStronger: Provocation = ({ callers, ids }) => ({
  by: callers.north,
  at: { ...FIRST_OF_EACH, user: ids.strongUser },
});
const onSelf: Provocation = ({ ids }) => ({ at: { ...FIRST_OF_EACH, user: ids.self } });

/** A user who has as many keys as allowed. */
const fullUser = async ({ api }: TestService): Promise<number> => {
  const { id } = await create(api, "/api/users", userBody({ role: "user" }));
  for (let made = 0; made < QUOTA; made++) await create(api, "/api/keys", keyBody({ user_id: id }));
  return id;
};

/** Errors with a reason of its own for each operation. */
const OWN_PROVOCATIONS: Readonly<Record<string, Readonly<Record<string, Provocation>>>> = {
  rate_limit_exceeded: { describeInvitation: byCrowd, acceptInvitation: byCrowd, getBranding: byCrowd },
  locked_out: { signIn: byCrowd, proveSecondFactor: byCrowd },
  sign_in_failed: { signIn: () => ({}), proveSecondFactor: () => ({}) },
  reauthentication_required: {
    createApiKey: ({ callers }) => ({ by: callers.stale, body: keyBody() }),
    createUser: ({ callers }) => ({ by: callers.stale, body: userBody({ role: "super_admin" }) }),
    async undoOffboarding({ service, callers }) {
      const { id } = await create(service.api, "/api/users", userBody({ role: "super_admin" }));
      await callers.admin.send("POST", `/portal/api/users/${id}/leave`, { body: { keys: "revoke" } });
      return { by: callers.stale, at: { ...FIRST_OF_EACH, user: id } };
    },
  },
  invalid_input: {
    decodeVin: () => ({ path: `/portal/api/vin/${"1".repeat(500)}` }),
    revertChange: () => ({ path: `/portal/api/recent-changes/${"1".repeat(500)}/revert` }),
    async acceptInvitation({ service, callers }) {
      const { id } = await makePerson(callers.admin);
      const { body } = await callers.admin.send<{ url: string }>("POST", `/portal/api/users/${id}/invitation`);
      expect(service.url).toBe(new URL(body.url).origin);
      return { path: invitationPath(body.url), body: { password: 1 } };
    },
  },
  exceeds_your_rights: {
    inviteUser: onStronger,
    endUserSessions: onStronger,
    endUserSession: onStronger,
    resetUserSecondFactor: onStronger,
    offboardUser: onStronger,
    undoOffboarding: onStronger,
    getPortalDocument: ({ callers }) => ({ by: callers.north }),
  },
  own_account: {
    inviteUser: onSelf,
    endUserSessions: onSelf,
    endUserSession: onSelf,
    resetUserSecondFactor: onSelf,
  },
  quota_exceeded: {
    async offboardUser({ service }) {
      const { id } = await create(service.api, "/api/users", userBody());
      await create(service.api, "/api/keys", keyBody({ user_id: id }));
      return { at: { ...FIRST_OF_EACH, user: id }, body: { keys: "transfer", to_user_id: await fullUser(service) } };
    },
    async undoOffboarding({ service, callers }) {
      const { id } = await create(service.api, "/api/users", userBody());
      const { id: other } = await create(service.api, "/api/users", userBody());
      await create(service.api, "/api/keys", keyBody({ user_id: id }));
      const body = { keys: "transfer", to_user_id: other };
      await callers.admin.send("POST", `/portal/api/users/${id}/leave`, { body });
      for (let made = 0; made < QUOTA; made++) await create(service.api, "/api/keys", keyBody({ user_id: id }));
      return { at: { ...FIRST_OF_EACH, user: id } };
    },
  },
  email_taken: {
    async changeEmail({ service }) {
      const { email } = await create<Created & { email: string }>(service.api, "/api/users", userBody());
      return { body: { email, password: PASSWORD } };
    },
  },
};
/** Errors that separate tests below provoke, because each needs its own service. */
const APART = [
  "second_factor_required",
  "unavailable",
  "acceptInvitation email_taken",
  "offboardUser last_super_admin",
];

/** Declared errors that nothing can provoke at the portal, each with the reason. */
const UNPROVOKED: Readonly<Record<string, string>> = {
  outcome_unknown: "the pipeline is that of the API, whose every change gives it",
  too_many_jobs: "the use case is that of the API, where it is provoked",
  import_state: "the use case is that of the API, where it is provoked",
  storage_quota: "the use case is that of the API, where it is provoked",
  "confirmImport confirmation_stale": "the use case is that of the API, where it is provoked",
  "confirmSecondFactor sign_in_failed": "only if the password is changed elsewhere between two statements of it",
  internal_error: "the pipeline is that of the API, whose every operation gives it",
};

const send = (
  { callers, declared }: ErrorContext,
  { by = callers.admin, at = FIRST_OF_EACH, path, ...sent }: Difference,
) => {
  const usual = sent.raw === undefined && sent.body === undefined ? usualOf(declared, at) : {};
  const headers = { ...usualOf(declared, at).headers, ...sent.headers };
  return by.send(declared.method, path ?? pathOf(declared, at), { ...usual, ...sent, headers });
};

/** Every operation of the portal, from its own document. */
const declaredBy = async (admin: Browser): Promise<DeclaredOperation[]> =>
  declaredIn((await admin.send<{ paths: Parameters<typeof declaredIn>[0] }>("GET", "/portal/openapi.json")).body.paths);

const declares = ({ errors }: DeclaredOperation, code: string): boolean => errors.some((error) => error.code === code);

/** Repeats a request until it is refused; the limit is far below the loop's. */
const exhaust = async (code: string, ask: () => Promise<{ readonly body: { readonly code?: string } }>) => {
  for (let asked = 0; asked < 50; asked++) {
    const replies = await Promise.all(Array.from({ length: 30 }, ask));
    if (replies.some(({ body }) => body.code === code)) return;
  }
  throw new Error(`it was never refused with ${code}`);
};

/** A program's limits refill while they are used up: only its machine decides who is faster. */
const isRefilled = (code: string): boolean => code === "rate_limit_exceeded" && !CAN_ADVANCE_CLOCK;

/** Uses limits up: once if the clock stands still, and each time if the service is a program, whose pauses end. */
const keptExhausted = (exhaustAll: () => Promise<void>): (() => Promise<void>) => {
  let first: Promise<void> | undefined;
  return () => {
    if (first === undefined || !CAN_ADVANCE_CLOCK) first = exhaustAll();
    return first;
  };
};

for (const engine of ANSWERING)
  describe(`declared errors of the portal on ${engine.name}`, () => {
    const fixture = serviceFixture(engine, { MAX_KEYS_PER_USER: String(QUOTA) });
    let context: Omit<ErrorContext, "declared">;
    let operations: readonly DeclaredOperation[];
    let ofApi: readonly DeclaredOperation[];
    /** Uses up what an error is about. */
    let exhausted: Readonly<Record<string, () => Promise<void>>>;

    beforeAll(async () => {
      const { service } = fixture;
      const { url, api } = service;
      const admin = await firstAdmin(service);
      const signedIn = async (fields: Readonly<Record<string, unknown>>) => {
        const { id } = await makePerson(admin, fields);
        return { id, browser: await inviteAndSignIn(url, admin, id) };
      };
      const superUser = await makePerson(admin, { role: "super_admin" });
      const strongUser = await makePerson(admin, { dealer_id: NORTH, permissions: pairs("audit:delete") });
      const stale = await signedIn({ role: "super_admin" });
      const callers: Callers = {
        admin,
        nobody: browserOn(url),
        powerless: (await signedIn({ permissions: [] })).browser,
        north: (await signedIn({ role: "dealer_admin", dealer_id: NORTH, permissions: NORTH_PERMISSIONS })).browser,
        stale: stale.browser,
        busy: (await signedIn({ role: "super_admin" })).browser,
        crowd: browserOn(url, freshAddress()),
        locked: admin,
      };
      await moveProofs(service, -3600, stale.id);
      const session = await admin.send<{ user: Created }>("GET", "/portal/api/session");
      const superKey = await create(api, "/api/keys", keyBody());
      const ids = {
        self: session.body.user.id,
        superUser: superUser.id,
        superKey: superKey.id,
        strongUser: strongUser.id,
      };
      context = { service, callers, ids };
      operations = await declaredBy(admin);
      ofApi = declaredIn(JSON.parse(await (await fetch(`${url}/openapi.json`)).text()).paths);
      const { busy, crowd } = callers;
      exhausted = {
        rate_limit_exceeded: keptExhausted(async () => {
          await exhaust("rate_limit_exceeded", () => busy.send("GET", "/portal/api/session"));
          await exhaust("rate_limit_exceeded", () => crowd.send("GET", `/portal/api/invitations/${TOKEN}`));
          await exhaust("rate_limit_exceeded", () => crowd.send("GET", "/portal/api/branding"));
        }),
        locked_out: keptExhausted(async () => {
          await exhaust("locked_out", () => signIn(crowd, "nobody@example.com", WRONG));
          await exhaust("locked_out", () =>
            crowd.send("POST", "/portal/api/sign-in/second-factor", { body: { code: "123456" } }),
          );
          // Somebody new each time, for there is a limit of hashes, too. One at a time, because all of them count.
          const { browser: locked } = await signedIn({ permissions: pairs("users:write") });
          callers.locked = locked;
          for (let asked = 0; asked < 12; asked++)
            if ((await locked.send("POST", "/portal/api/reauthenticate", { body: { password: WRONG } })).status === 429)
              break;
        }),
      };
    });

    /** True if the API gives the same error for the same reason: tests of the API provoke it. */
    const isOfApi = (name: string, code: string): boolean =>
      ofApi.some((one) => one.name === name && declares(one, code));

    test("occur on every operation that declares them", async () => {
      const wrong: string[] = [];
      for (const declared of operations)
        for (const { status, code } of declared.errors) {
          const { name } = declared;
          if (
            isRefilled(code) ||
            APART.includes(code) ||
            APART.includes(`${name} ${code}`) ||
            code in UNPROVOKED ||
            `${name} ${code}` in UNPROVOKED
          )
            continue;
          const provoke = OWN_PROVOCATIONS[code]?.[name] ?? PROVOCATIONS[code];
          if (provoke === undefined) {
            if (!isOfApi(name, code)) wrong.push(`no provocation: ${name} declares ${code}`);
            continue;
          }
          const one = { ...context, declared };
          await exhausted[code]?.();
          const reply = await send(one, await provoke(one));
          if (reply.status !== status || reply.body.code !== code)
            wrong.push(`${name} declares ${code}, and answered ${reply.status} ${reply.text.slice(0, 150)}`);
        }
      expect(wrong).toEqual([]);
    });
  });

/** Calls every operation that declares the error as the admin, and expects it from each. */
const expectOfAll = async (code: string, operations: readonly DeclaredOperation[], admin: Browser) => {
  const wrong: string[] = [];
  for (const declared of operations.filter((one) => declares(one, code))) {
    const reply = await admin.send(declared.method, pathOf(declared, FIRST_OF_EACH), usualOf(declared, FIRST_OF_EACH));
    if (reply.body.code !== code) wrong.push(`${declared.name} answered ${reply.status} ${reply.text.slice(0, 150)}`);
  }
  expect(wrong).toEqual([]);
};

for (const engine of ANSWERING)
  describe(`declared errors of the portal on ${engine.name}, each on its own service:`, () => {
    let service: TestService;
    afterEach(() => service?.close());

    const startWithAdmin = async (environment: Readonly<Record<string, string>>): Promise<Browser> => {
      service = await startService(engine, environment);
      return firstAdmin(service);
    };

    test("the first super-admin's address is already taken", async () => {
      service = await startService(engine);
      await create(service.api, "/api/users", userBody({ email: FIRST.email }));
      const body = { ...FIRST, password: PASSWORD };
      const reply = await browserOn(service.url).send("POST", invitationPath(service.setUpLink ?? ""), { body });
      expect([reply.status, reply.body.code]).toEqual([409, "email_taken"]);
    });

    test("the last super-admin leaves", async () => {
      const admin = await startWithAdmin({});
      const { body } = await admin.send<{ user: Created }>("GET", "/portal/api/session");
      const path = `/portal/api/users/${body.user.id}/leave`;
      const reply = await admin.send("POST", path, { body: { keys: "revoke" } });
      expect([reply.status, reply.body.code]).toEqual([409, "last_super_admin"]);
    });

    test("a second factor is compulsory but not set up", async () => {
      const admin = await startWithAdmin({});
      const operations = await declaredBy(admin);
      await service.close();
      const { databaseUrl } = service;
      service = await startService(engine, { DATABASE_URL: databaseUrl, REQUIRE_SECOND_FACTOR: "all" });
      const again = browserOn(service.url);
      for (const [name, value] of admin.cookies) again.cookies.set(name, value);
      await expectOfAll("second_factor_required", operations, again);
    });
  });

// Only PostgreSQL can be unreachable for reads.
test("declared errors of the portal on PostgreSQL: the database is unreachable", async () => {
  const [, engine] = ENGINES;
  const network: Relay = startRelay(await engine.migratedUrl());
  const service = await startService(engine, { DATABASE_URL: network.url });
  try {
    const admin = await firstAdmin(service);
    const operations = await declaredBy(admin);
    network.become("broken");
    // A code without a preceding password is refused before anything is read.
    const reading = operations.filter(({ name }) => name !== "proveSecondFactor");
    await expectOfAll("unavailable", reading, admin);
    network.become("fair");
  } finally {
    await service.close();
  }
});
