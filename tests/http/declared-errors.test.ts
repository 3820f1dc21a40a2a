import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import type { Held } from "../../core/feeds/feed.ts";
import { MAX_OPEN_SCHEDULES } from "../../core/scheduled-changes/schedule.ts";
import { MAX_WEBHOOKS } from "../../core/webhooks/webhook.ts";
import type { Sent } from "../support/client.ts";
import { serviceClock } from "../support/clock.ts";
import { type DeclaredOperation, declaredIn } from "../support/declared-errors.ts";
import { ANSWERING, connect, ENGINES } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { queryDatabase } from "../support/inspect-database.ts";
import type { ChangePage } from "../support/inventory-copy.ts";
import { type Relay, startRelay } from "../support/relay.ts";
import {
  type CreatedKey,
  create,
  createSampleRecords,
  dealerBody,
  keyBody,
  NOTHING,
  type SampleRecords,
  userBody,
  vehicleBody,
} from "../support/sample-records.ts";
import { pairs, startService, type TestService } from "../support/service.ts";
import { type ServiceFixture, serviceFixture } from "../support/service-fixture.ts";
import { addWaitingImport, changeImport } from "../support/waiting-import.ts";
import {
  isAt,
  OF_NO_DEALER,
  ON_WAITING_IMPORTS,
  OPERATIONS,
  type Operation,
  sentBy,
  WITHOUT_END,
} from "./operations.ts";
import {
  correctPrice,
  freshTargets,
  missingTargets,
  scheduleBody,
  sourceBody,
  type Targets,
  targetsOf,
  webhookBody,
} from "./targets.ts";

const ALL = [...OPERATIONS, ...WITHOUT_END, ...OF_NO_DEALER, ...ON_WAITING_IMPORTS];
const QUOTA = 6;
const TOO_LARGE = " ".repeat(1024 * 1024 + 1);

const HELD = JSON.stringify({ at: "2026-01-01T00:00:00.000Z", rows: 1, before: 9 } satisfies Held);

/**
 * Holds a feed, as a fetch does that finds far fewer rows than before: a release of a feed that is not held changes
 * nothing.
 */
const holdFeed = async (databaseUrl: string, id: number): Promise<void> => {
  const db = connect(databaseUrl);
  await db.migrate(async (run) => void (await run(`UPDATE feeds SET held = '${HELD}' WHERE id = ${id}`)));
  await db.close();
};

/** What a provocation starts from: targets that all belong to one dealer, and are changed by nobody else. */
interface ErrorContext {
  readonly fixture: ServiceFixture;
  readonly operation: Operation;
  readonly declared: DeclaredOperation;
  readonly at: Targets;
}

/** How a provocation differs from the operation's successful request by the super-admin. */
interface Difference extends Sent {
  readonly at?: Targets;
  readonly path?: string;
}
type Provocation = (context: ErrorContext) => Difference | Promise<Difference>;

const newKey = async ({ fixture }: ErrorContext, fields: object): Promise<string> =>
  (await create<CreatedKey>(fixture.api, "/api/keys", keyBody(fields))).api_key;

/** Refused in any parameter: it is not UTF-8, and too long for a number or a VIN. */
const badParameter: Provocation = ({ operation, declared, at }) => {
  const path = operation.path(at);
  if (/\d/.test(path)) return { path: path.replace(/\d+/, "x".repeat(100)) };
  return operation.body === undefined
    ? { path: `${path}?${declared.query[0] ?? "unknown"}=%ff` }
    : { body: { nonsense: 1 } };
};

const ofAnotherOrigin: Provocation = async (context) => ({
  key: await newKey(context, { allowed_origins: ["https://www.harbor.example.com"] }),
  headers: { origin: "https://evil.example.com" },
});

const usedUp: Provocation = async (context) => {
  const key = await newKey(context, { rate_limit: 1 });
  await context.fixture.api("GET", "/api/vehicles", { key });
  return { key };
};

/** Errors that are provoked in the same way for every operation. */
const PROVOCATIONS: Readonly<Record<string, Provocation>> = {
  api_key_missing: () => ({ key: null }),
  api_key_invalid: () => ({ key: "no such key" }),
  app_type_mismatch: () => ({ headers: { "x-app-type": "mobile" } }),
  rate_limit_exceeded: usedUp,
  origin_not_allowed: ofAnotherOrigin,
  network_not_allowed: async (context) => ({ key: await newKey(context, { allowed_networks: ["192.0.2.0/24"] }) }),
  permission_missing: ({ fixture }) => ({ key: fixture.records.keys.powerless.api_key }),
  dealer_bound: ({ fixture }) => ({ key: fixture.records.keys.north.api_key }),
  invalid_input: badParameter,
  invalid_json: () => ({ raw: "{" }),
  body_too_large: () => ({ raw: TOO_LARGE }),
  unsupported_media_type: () => ({ raw: "{}", headers: { "content-type": "text/plain" } }),
  not_found: () => ({ at: missingTargets(NOTHING) }),
  not_your_dealer: ({ fixture }) => ({ key: fixture.records.keys.north.api_key }),
  import_file_unreadable: () => ({ raw: "" }),
  import_file_too_large: () => ({ raw: `VIN\n${"1".repeat(300_000)}\n` }),
  precondition_failed: () => ({ headers: { "if-match": '"an earlier version"' } }),
};

/** A key of the targets' dealer that may change keys, users and the dealer, but may not read vehicles. */
const modestKey = (context: ErrorContext): Promise<string> =>
  newKey(context, {
    dealer_id: context.at.dealer,
    permissions: pairs("dealers:write", "keys:write", "keys:delete", "users:write", "users:delete"),
  });

const MORE = pairs("vehicles:read");

const byModestKey =
  (body: (at: Targets) => object): Provocation =>
  async (context) => ({ key: await modestKey(context), body: body(context.at) });

const onStrongerKey: Provocation = async (context) => {
  const { id } = await create(
    context.fixture.api,
    "/api/keys",
    keyBody({ dealer_id: context.at.dealer, permissions: MORE, rate_limit: 1 }),
  );
  return { key: await modestKey(context), at: { ...context.at, key: id } };
};

const onStrongerUser: Provocation = async (context) => {
  const { id } = await create(
    context.fixture.api,
    "/api/users",
    userBody({ dealer_id: context.at.dealer, permissions: MORE }),
  );
  return { key: await modestKey(context), at: { ...context.at, user: id } };
};

/** A key of the targets' dealer, and a feed or source there that a super-admin has switched off. */
const onSwitchedOff =
  (path: (at: Targets) => string, body?: object): Provocation =>
  async (context) => {
    const { fixture, at } = context;
    await fixture.api("PUT", path(at), { body: { active: false } });
    const permissions = pairs("feeds:write", "webhooks:write", "vehicles:read", "vehicles:write");
    const key = await newKey(context, { dealer_id: at.dealer, permissions });
    return { key, ...(body !== undefined && { body }) };
  };

const feedPath = ({ feed }: Targets): string => `/api/feeds/${feed}`;
const sourcePath = ({ source }: Targets): string => `/api/import-sources/${source}`;
const webhookPath = ({ webhook }: Targets): string => `/api/webhooks/${webhook}`;

/** A dealer whose quotas of keys and users are reached. */
const fullDealer = async ({ fixture }: ErrorContext): Promise<number> => {
  const { id } = await create(fixture.api, "/api/dealers", dealerBody());
  for (let made = 0; made < QUOTA; made++) {
    await create(fixture.api, "/api/keys", keyBody({ dealer_id: id, permissions: [] }));
    await create(fixture.api, "/api/users", userBody({ dealer_id: id, permissions: [] }));
  }
  return id;
};

const atFullDealer =
  (body: (dealer_id: number) => object): Provocation =>
  async (context) => ({ body: body(await fullDealer(context)) });

/** A VIN that an unsold vehicle of the dealer has, which refuses others with it. */
const takenVin = async ({ fixture, at }: ErrorContext, unique_vin = "refuse"): Promise<string> => {
  const vin = "TAKEN1";
  await fixture.api("PUT", `/api/dealers/${at.dealer}`, { body: { unique_vin: "warn" } });
  await create(fixture.api, "/api/vehicles", vehicleBody(at.dealer, { vin }));
  await fixture.api("PUT", `/api/dealers/${at.dealer}`, { body: { unique_vin } });
  return vin;
};

/** A code that another dealer has. */
const takenCode = async ({ fixture }: ErrorContext): Promise<string> => {
  const { id } = await create(fixture.api, "/api/dealers", dealerBody());
  const code = `Taken ${id}`;
  await fixture.api("PUT", `/api/dealers/${id}`, { body: { codes: [code] } });
  return code;
};

const withTakenEmail =
  (body: (email: string) => object): Provocation =>
  async ({ fixture }) => {
    const { email } = await create<{ id: number; email: string }>(fixture.api, "/api/users", userBody());
    return { body: body(email) };
  };

const onLastSuperAdmin =
  (body?: object): Provocation =>
  ({ fixture, at }) => ({
    at: { ...at, user: fixture.records.users["super-admin's user"] },
    ...(body !== undefined && { body }),
  });

const onUnsoldVehicle: Provocation = async ({ fixture, at }) => ({
  at: { ...at, vehicle: (await create(fixture.api, "/api/vehicles", vehicleBody(at.dealer))).id },
});

/** The import of the context waits for a confirmation that nothing is missing. */
const waitsForConfirmation = async ({ fixture, at }: ErrorContext): Promise<void> =>
  changeImport(fixture.service.databaseUrl, at.import, "needs_confirmation");

const addWaiting = ({ fixture, at }: ErrorContext): Promise<number> =>
  addWaitingImport(fixture.service.databaseUrl, at.dealer);

const withManyWaiting: Provocation = async (context) => {
  for (let waiting = 0; waiting < 10; waiting++) await addWaiting(context);
  return {};
};

/** A dealer whose import keeps a file of the largest size that is allowed here. */
const withKeptFiles: Provocation = async ({ fixture, at }) => {
  const { id: dealer } = await create(fixture.api, "/api/dealers", dealerBody());
  const description = "d".repeat(200_000);
  const rows = Array.from({ length: 6 }, (_, row) => `Q${row},${description}\n`);
  await fixture.api("POST", `/api/imports?dealer_id=${dealer}&dry_run=true`, {
    raw: `VIN,Description\n${rows.join("")}`,
    headers: { "content-type": "text/csv" },
  });
  return { at: { ...at, dealer } };
};

/** A key of such a dealer. */
const byKeyWithKeptFiles: Provocation = async (context) => {
  const { at } = await withKeptFiles(context);
  const permissions = pairs("vehicles:read", "vehicles:write", "vehicles:delete");
  return { key: await newKey(context, { dealer_id: at?.dealer, permissions }) };
};

/** The same, and a body with a complete list of images. */
const imagesByKeyWithKeptFiles: Provocation = async (context) => ({
  ...(await byKeyWithKeptFiles(context)),
  body: { ...vehicleBody(null), images: [] },
});

/** A cursor of a database that was replaced since. */
const onReplacedNumbering: Provocation = async ({ fixture }) => {
  const { next } = (await fixture.api<ChangePage>("GET", "/api/changes?limit=1000")).body.meta;
  const db = connect(fixture.service.databaseUrl);
  await db.migrate(async (run) => void (await run("UPDATE change_numbering SET name = 'another'")));
  await db.close();
  return { path: `/api/changes?after=${next}` };
};

/** Errors that are provoked differently for each operation. */
const OWN_PROVOCATIONS: Readonly<Record<string, Readonly<Record<string, Provocation>>>> = {
  exceeds_your_rights: {
    updateDealer: byModestKey(() => ({ active: false })),
    createApiKey: byModestKey(() => keyBody({ permissions: MORE, rate_limit: 1 })),
    updateApiKey: onStrongerKey,
    revokeApiKey: onStrongerKey,
    rotateApiKey: onStrongerKey,
    endApiKeyGrace: onStrongerKey,
    addApiKeyPermission: onStrongerKey,
    removeApiKeyPermission: onStrongerKey,
    deleteApiKey: onStrongerKey,
    updateSettings: byModestKey(() => ({ currency: "EUR" })),
    createUser: byModestKey(() => userBody({ permissions: MORE })),
    updateUser: onStrongerUser,
    deactivateUser: onStrongerUser,
    updateFeed: onSwitchedOff(feedPath, { active: true }),
    updateImportSource: onSwitchedOff(sourcePath, { active: true }),
    runImportSource: onSwitchedOff(sourcePath),
    updateWebhook: onSwitchedOff(webhookPath, { active: true }),
    enableWebhook: onSwitchedOff(webhookPath),
  },
  quota_exceeded: {
    createApiKey: atFullDealer((dealer_id) => keyBody({ dealer_id, permissions: [] })),
    updateApiKey: atFullDealer((dealer_id) => ({ dealer_id })),
    createUser: atFullDealer((dealer_id) => userBody({ dealer_id, permissions: [] })),
    updateUser: atFullDealer((dealer_id) => ({ dealer_id })),
    async createScheduledChange({ fixture, at }) {
      for (let made = 0; made < MAX_OPEN_SCHEDULES; made++)
        await fixture.api("POST", "/api/scheduled-changes", { body: scheduleBody(at.vehicle) });
      return { body: scheduleBody(at.vehicle) };
    },
    async createWebhook({ fixture }) {
      const { id: dealer } = await create(fixture.api, "/api/dealers", dealerBody());
      for (let made = 0; made < MAX_WEBHOOKS; made++) await create(fixture.api, "/api/webhooks", webhookBody(dealer));
      return { body: webhookBody(dealer) };
    },
  },
  confirmation_stale: {
    changeVehicles: ({ at }) => ({
      body: { filter: { dealer_id: at.dealer }, expected_total: 1000, changes: { year: 2001 } },
    }),
    async confirmImport(context) {
      await waitsForConfirmation(context);
      return { body: { missing: 999 } };
    },
  },
  dealer_code_taken: {
    createDealer: async (context) => ({ body: dealerBody({ codes: [await takenCode(context)] }) }),
    updateDealer: async (context) => ({ body: { codes: [await takenCode(context)] } }),
  },
  duplicate_vehicle: {
    createVehicle: async (context) => ({ body: vehicleBody(context.at.dealer, { vin: await takenVin(context) }) }),
    updateVehicle: async (context) => ({ body: { vin: await takenVin(context), status: "available" } }),
    async restoreVehicle(context) {
      const { fixture, at } = context;
      const vin = await takenVin(context, "warn");
      const { id: removed } = await create(fixture.api, "/api/vehicles", vehicleBody(at.dealer, { vin }));
      await fixture.api("DELETE", `/api/vehicles/${removed}`);
      await fixture.api("PUT", `/api/dealers/${at.dealer}`, { body: { unique_vin: "refuse", active: true } });
      return { at: { ...at, removed } };
    },
  },
  target_refused: {
    createImportSource: ({ at }) => ({
      body: { ...sourceBody(at.dealer, "Inside"), url: "https://127.0.0.1/lot.csv" },
    }),
    updateImportSource: () => ({ body: { url: "https://[::1]/lot.csv" } }),
    createWebhook: ({ at }) => ({ body: { ...webhookBody(at.dealer), url: "https://127.0.0.1/hook" } }),
    updateWebhook: () => ({ body: { url: "https://[::1]/hook" } }),
  },
  not_restorable: {
    restoreVehicle: async ({ fixture, at }) => {
      await fixture.api("DELETE", `/api/dealers/${at.dealer}`);
      return {};
    },
  },
  cursor_expired: { listChanges: onReplacedNumbering },
  not_revertible: {
    async revertChange({ fixture, at }) {
      const body = { items: [vehicleBody(at.dealer, { stock_number: "CREATED" })] };
      const written = await fixture.api<{ change_id: string }>("POST", "/api/vehicles/batch", { body });
      return { path: `/api/recent-changes/${written.body.change_id}/revert` };
    },
  },
  schedule_state: {
    async cancelScheduledChange({ fixture, at }) {
      await fixture.api("DELETE", `/api/scheduled-changes/${at.schedule}`);
      return {};
    },
  },
  not_sold: { getVehicleSale: onUnsoldVehicle, updateVehicleSale: onUnsoldVehicle },
  email_taken: {
    createUser: withTakenEmail((email) => userBody({ email })),
    updateUser: withTakenEmail((email) => ({ email })),
  },
  last_super_admin: {
    updateUser: onLastSuperAdmin({ role: "user" }),
    deactivateUser: onLastSuperAdmin(),
  },
  too_many_jobs: {
    createImport: withManyWaiting,
    runImport: withManyWaiting,
    async confirmImport(context) {
      await waitsForConfirmation(context);
      return withManyWaiting(context);
    },
  },
  storage_quota: {
    createImport: withKeptFiles,
    writeVehicles: byKeyWithKeptFiles,
    changeVehicles: byKeyWithKeptFiles,
    mendImport: byKeyWithKeptFiles,
    createVehicle: imagesByKeyWithKeptFiles,
    updateVehicle: imagesByKeyWithKeptFiles,
  },
  import_state: {
    runImport: ({ at }) => ({ at: { ...at, dryRun: at.import } }),
    mendImport: ({ at }) => ({ at: { ...at, import: at.dryRun } }),
    confirmImport: ({ at }) => ({ at: { ...at, import: at.dryRun } }),
    deleteImport: async (context) => ({ at: { ...context.at, import: await addWaiting(context) } }),
  },
  own_account: {
    updateUser: ({ fixture, at }) => ({
      key: fixture.records.keys["super-admin's user"].api_key,
      at: { ...at, user: fixture.records.users["super-admin's user"] },
      body: { email: "another@example.com" },
    }),
  },
};

/**
 * Errors of the database and of the service itself. They are provoked for all operations at once: see the end, and
 * search-states.test.ts for a search while words are still being computed, and quotas.test.ts for a full disk.
 * repeats.test.ts sends changes again, which is the same for all operations.
 * photos.test.ts has photos without a storage, beyond a quota and without room.
 * imports/arriving.test.ts has slow uploads, and keys that move to another dealer during one.
 */
const FAULTS = [
  "unavailable",
  "outcome_unknown",
  "internal_error",
  "search_not_ready",
  "storage_full",
  "photos_off",
  "upload_too_slow",
  "idempotency_in_progress",
  "idempotency_key_reused",
];
const isProvokedElsewhere = (name: string, code: string): boolean =>
  FAULTS.includes(code) ||
  (name === "createImport" && code === "not_your_dealer") ||
  (name === "addImage" && code === "storage_quota");

const send = ({ fixture, operation, at }: ErrorContext, difference: Difference) => {
  const { at: where = at, path = operation.path(where), ...sent } = difference;
  const usual = sentBy(operation, where);
  const headers = { ...usual.headers, ...sent.headers };
  return fixture.api(operation.method, path, { ...(difference.raw === undefined ? usual : {}), ...sent, headers });
};

/** What the operations of the API declare. Those of monitoring have no errors of their own. */
const declaredBy = async (service: TestService) =>
  declaredIn(JSON.parse(await (await fetch(`${service.url}/openapi.json`)).text()).paths).filter(({ path }) =>
    path.startsWith("/api/"),
  );

// What an engine refuses is told by its statements, which tests/contracts tries on both.
for (const engine of ANSWERING)
  describe(`declared errors on ${engine.name}`, () => {
    const fixture = serviceFixture(engine, {
      MAX_KEYS_PER_DEALER: String(QUOTA),
      MAX_USERS_PER_DEALER: String(QUOTA),
      MAX_KEPT_MIB_PER_DEALER: "1",
    });

    let document: Awaited<ReturnType<typeof declaredBy>>;
    beforeAll(async () => {
      document = await declaredBy(fixture.service);
    });

    for (const operation of ALL)
      test(`each occur when a request tries to ${operation.name}`, async () => {
        const [declared, ...others] = document.filter((one) => isAt(operation, one));
        if (declared === undefined) throw new Error(`the document has no operation to ${operation.name}`);
        expect(others).toEqual([]);
        const { id: dealer } = await create(fixture.api, "/api/dealers", dealerBody());
        const named = targetsOf(operation);
        // A provocation may put one kind of import in the place of the other.
        const ofImports = named.has("import") || named.has("dryRun") ? (["import", "dryRun"] as const) : [];
        const at = await freshTargets(fixture.api, {
          dealer,
          mark: "declared",
          named: new Set([...named, ...ofImports]),
        });
        const context = { fixture, operation, declared, at };
        const { name, errors } = declared;
        for (const { status, code } of errors.filter((error) => !isProvokedElsewhere(name, error.code))) {
          const provoke = OWN_PROVOCATIONS[code]?.[name] ?? PROVOCATIONS[code];
          if (provoke === undefined) throw new Error(`no provocation: ${name} declares ${code}`);
          const reply = await send(context, await provoke(context));
          expect([code, reply.status, reply.body]).toEqual([code, status, expect.objectContaining({ code })]);
        }
      });

    test("are provoked for every operation, and no provocation is for an undeclared error", async () => {
      expect(document.filter((one) => !ALL.some((operation) => isAt(operation, one)))).toEqual([]);
      const all = document.flatMap(({ name, errors }) => errors.map(({ code }) => `${name} ${code}`));
      const own = Object.entries(OWN_PROVOCATIONS).flatMap(([code, names]) =>
        Object.keys(names).map((name) => `${name} ${code}`),
      );
      expect(own.filter((one) => !all.includes(one))).toEqual([]);
      expect(Object.keys(PROVOCATIONS).filter((code) => !all.some((one) => one.endsWith(` ${code}`)))).toEqual([]);
    });
  });

const TABLES = "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1";
/** The statements that wait for a lock, each by its connection and when it began. */
const BLOCKED = `SELECT pid || ' ' || query_start AS statement FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;
/** One caller has half of the connections: one for each request. */
const MANY_CONNECTIONS = { DATABASE_CONNECTIONS: String(2 * ALL.length) };
/** Longer than any request may take. */
const LONG_MS = 10 * 60_000;
/** Longer than all requests together. */
const GRACE_SECONDS = 30 * 24 * 60 * 60;

// Only PostgreSQL can be unreachable for reads, and lets another session block only the last part of a change.
describe("declared errors of an unreachable database and of defects on PostgreSQL", () => {
  const [, engine] = ENGINES;
  let databaseUrl: string;
  let network: Relay;
  let service: TestService;
  let records: SampleRecords;
  const targets = new Map<Operation, Targets>();
  const clock = serviceClock();

  beforeAll(async () => {
    const patient = await startService(engine, {}, { clock });
    records = await createSampleRecords(patient.api);
    for (const operation of ALL) {
      const { id: dealer } = await create(patient.api, "/api/dealers", dealerBody());
      const named = targetsOf(operation);
      const at = await freshTargets(patient.api, { dealer, mark: "declared", named });
      if (operation.name === "take the file's value") await correctPrice(patient.api, at);
      // Nothing is written of a key whose old secret has ended.
      if (operation.name === "end a grace")
        await patient.api("POST", `/api/keys/${at.key}/rotate`, { body: { grace_seconds: GRACE_SECONDS } });
      targets.set(operation, at);
    }
    await patient.close();
    ({ databaseUrl } = patient);
    for (const [{ name }, at] of targets) {
      // Nothing is written of an import that is done.
      if (name === "confirm an import" || name === "stop an import")
        await changeImport(databaseUrl, at.import, "needs_confirmation");
      if (name === "release a feed") await holdFeed(databaseUrl, at.feed);
    }
    network = startRelay(databaseUrl);
    service = await startService(engine, { ...MANY_CONNECTIONS, DATABASE_URL: network.url }, { clock });
  });
  afterAll(() => service?.close());

  /**
   * Sends the successful request of every operation that declares the error, and expects the error of each. `meanwhile`
   * is called until all are answered, with how many are not.
   */
  const expectOfAll = async (code: string, meanwhile: (waiting: number) => Promise<void> = async () => {}) => {
    const declared = await declaredBy(service);
    let waiting = 0;
    const ask = async ([operation, at]: readonly [Operation, Targets]): Promise<void> => {
      const errors = declared.find((one) => isAt(operation, one))?.errors ?? [];
      const status = errors.find((error) => error.code === code)?.status;
      if (status === undefined) return;
      waiting++;
      const reply = await service
        .api(operation.method, operation.path(at), {
          key: records.keys["super-admin"].api_key,
          ...sentBy(operation, at),
        })
        .finally(() => waiting--);
      const { name } = operation;
      expect([name, reply.status, reply.body]).toEqual([name, status, expect.objectContaining({ code })]);
    };
    const all = Promise.all([...targets].map(ask));
    // A failure is thrown below, once every request was answered.
    all.catch(() => {});
    await eventually(async () => {
      await meanwhile(waiting);
      return waiting === 0;
    }, Boolean);
    await all;
  };

  /** A key that was read before is trusted for a while, and some requests read nothing else. */
  const untilKeysAreRead = async (status: number): Promise<void> => {
    const ask = async () => (await service.api("GET", "/api/me", { key: records.keys["super-admin"].api_key })).status;
    expect(await eventually(ask, (answered) => answered === status)).toBe(status);
  };

  test("include unavailability for every operation while the database is unreachable", async () => {
    network.become("broken");
    await untilKeysAreRead(503);
    await expectOfAll("unavailable");
    network.become("fair");
    // Without a key, since the next test needs the requests that the key may make.
    const look = async () => (await fetch(`${service.url}/health/ready`)).status;
    expect(await eventually(look, (status) => status === 200)).toBe(200);
  });

  test("include an unknown outcome for every change whose time ends while it is made", async () => {
    const other = new SQL(databaseUrl, { max: 1 });
    await other.unsafe("BEGIN");
    await other.unsafe("LOCK TABLE audit_entries, jobs, webhook_deliveries IN SHARE MODE");
    let outlasted: ReadonlySet<string> = new Set();
    /**
     * Lets time pass once each of the others waits for the lock. A statement whose request is over may still wait for it:
     * counted again, it would let a day pass before the last request arrives.
     */
    const outlast = async (waiting: number): Promise<void> => {
      const found = await queryDatabase<{ statement: string }>(databaseUrl, BLOCKED);
      const blocked = found.map(({ statement }) => statement);
      if (waiting === 0 || blocked.filter((one) => !outlasted.has(one)).length < waiting) return;
      outlasted = new Set([...outlasted, ...blocked]);
      clock.advance(LONG_MS);
    };
    await expectOfAll("outcome_unknown", outlast).finally(async () => {
      await other.unsafe("ROLLBACK");
      await other.close();
    });
  });

  test("include a 500 for a defect in every operation", async () => {
    const names = (await queryDatabase<{ name: string }>(databaseUrl, TABLES)).map(({ name }) => name);
    const elsewhere = connect(databaseUrl);
    await elsewhere.migrate(async (run) => void (await run(`DROP TABLE ${names.join(", ")} CASCADE`)));
    await elsewhere.close();
    await untilKeysAreRead(500);
    await expectOfAll("internal_error");
  });
});
