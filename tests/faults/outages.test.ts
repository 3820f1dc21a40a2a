import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { SQL } from "bun";
import { eventually } from "../support/eventually.ts";
import { DEALER, type Outcome, type Program, startProgram } from "./support/program.ts";
import { type FaultyServer, startFaultyServer } from "./support/server.ts";

/** Time limits short enough for quick tests, and long enough for a busy machine. */
const LIMITS = {
  DATABASE_CONNECTIONS: "3",
  DATABASE_STATEMENT_TIMEOUT_MS: "800",
  DATABASE_POOL_WAIT_MS: "400",
  DATABASE_CONNECT_TIMEOUT_MS: "1000",
};
/** Requests of each client while it is silent: enough to abandon first a statement and then a connection. */
const REQUESTS = 3;
const CONNECTIONS = Number(LIMITS.DATABASE_CONNECTIONS);
const CONCURRENT = 40;

setDefaultTimeout(300_000);

let server: FaultyServer;
let program: Program;
let dealer: number;
let vehicle: number;

const VEHICLE = { make: "Kia", model: "Niro", year: 2025, price: 1 };

/** Starts the service with a vehicle, on an empty database. */
const startOn = async (address: string): Promise<void> => {
  program = await startProgram(address, LIMITS);
  // On a busy machine a request may be late.
  const made = async (path: string, body: object): Promise<number> =>
    Number(
      (
        await eventually(
          () => program.send("POST", path, body),
          ({ status }) => status === 201,
        )
      ).body.id,
    );
  dealer = await made("/api/dealers", DEALER);
  vehicle = await made("/api/vehicles", { ...VEHICLE, dealer_id: dealer });
};

beforeAll(async () => {
  server = await startFaultyServer();
  await startOn(server.address());
});

afterAll(async () => {
  await program?.stop();
  await server?.remove();
});

const read = (): Promise<Outcome> => program.send("GET", `/api/vehicles/${vehicle}`);
const change = (): Promise<Outcome> => program.send("PUT", `/api/vehicles/${vehicle}`, { mileage: 5 });
let images = 0;
/** An address of its own: one that the vehicle has already would be no new image. */
const addImage = (): Promise<Outcome> =>
  program.send("POST", `/api/vehicles/${vehicle}/images`, { image_url: `https://images.example.com/${++images}.jpg` });
const isReady = async (): Promise<boolean> => (await program.send("GET", "/health/ready")).status === 200;

/** Checks that every connection works, with as many concurrent reads and a transaction. */
const isFullyServing = async (): Promise<boolean> => {
  const outcomes = await Promise.all([...Array.from({ length: CONNECTIONS * 2 }, read), change()]);
  return outcomes.every(({ status }) => status === 200) && (await addImage()).status === 201 && (await isReady());
};

/** Expects that all were refused while the cause lasted. */
const expectRefused = (outcomes: readonly Outcome[]): void => {
  for (const { status, retryAfter } of outcomes) expect([status, retryAfter]).toEqual([503, "1"]);
};

/** Runs work while another session holds a lock. */
const whileLocked = async (lock: string, work: () => Promise<void>): Promise<void> => {
  const other = new SQL(server.address(), { max: 1 });
  try {
    await other.unsafe("BEGIN");
    await other.unsafe(lock);
    await work();
    await other.unsafe("ROLLBACK");
  } finally {
    await other.close({ timeout: 0 });
  }
};

describe("a database that accepts connections but does not answer", () => {
  test("is abandoned while it is silent, and used again as soon as it answers", async () => {
    server.freeze();
    const outcomes: Outcome[] = [];
    const ask = async (send: () => Promise<Outcome>): Promise<void> => {
      for (let sent = 0; sent < REQUESTS; sent++) outcomes.push(await send());
    };
    await Promise.all([read, read, read, read, change, change, addImage, addImage].map(ask));
    expect(await isReady()).toBe(false);
    server.thaw();
    expectRefused(outcomes);
    expect(await eventually(isFullyServing, Boolean)).toBe(true);
  });

  test("stores no image whose transaction was abandoned", async () => {
    const before = await server.query("SELECT count(*) AS images FROM vehicle_images");
    let outcome: Outcome | undefined;
    await whileLocked(`SELECT 1 FROM vehicles WHERE id = ${vehicle} FOR UPDATE`, async () => {
      outcome = await addImage();
    });
    expect(outcome).toMatchObject({ status: 503, code: "unavailable", retryAfter: "1" });
    expect(await server.query("SELECT count(*) AS images FROM vehicle_images")).toEqual(before);
  });

  test("makes a slow statement a 503 that changed nothing", async () => {
    await whileLocked("LOCK TABLE vehicles IN ACCESS EXCLUSIVE MODE", async () => {
      const outcomes = await Promise.all([read(), change()]);
      expectRefused(outcomes);
      expect(outcomes.map(({ code }) => code)).toEqual(["unavailable", "unavailable"]);
    });
    expect(await eventually(isFullyServing, Boolean)).toBe(true);
  });

  test("causes requests without a connection to be refused in time, and none to wait for ever", async () => {
    await whileLocked("LOCK TABLE vehicles IN ACCESS EXCLUSIVE MODE", async () => {
      expectRefused(await Promise.all(Array.from({ length: CONCURRENT }, read)));
    });
    expect(await eventually(isFullyServing, Boolean)).toBe(true);
  });
});

describe("a database that refuses connections causes 503 answers until it recovers, if", () => {
  const endConnections = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`;

  /** Cuts all of the service's connections, expects 503 answers, and waits until it recovers. */
  const expectRefusalAndRecovery = async (refuse: string, admit: string): Promise<void> => {
    await server.query(refuse);
    await server.query(endConnections);
    expectRefused(await Promise.all([read(), change(), addImage(), program.send("GET", "/health/ready")]));
    await server.query(admit);
    expect(await eventually(isFullyServing, Boolean)).toBe(true);
  };

  test("the password was replaced", async () => {
    const login = "service";
    await server.query(`CREATE ROLE ${login} SUPERUSER LOGIN PASSWORD 'first'`);
    await program.stop();
    program = await startProgram(server.address(login, "first"), LIMITS);
    await expectRefusalAndRecovery(`ALTER ROLE ${login} PASSWORD 'second'`, `ALTER ROLE ${login} PASSWORD 'first'`);
  });

  test("the role has too many connections", async () => {
    await program.stop();
    await server.query("CREATE ROLE crowded LOGIN PASSWORD 'crowded'; GRANT ALL ON SCHEMA public TO crowded");
    await server.query("GRANT ALL ON ALL TABLES IN SCHEMA public TO crowded");
    program = await startProgram(server.address("crowded", "crowded"), LIMITS);
    await expectRefusalAndRecovery("ALTER ROLE crowded CONNECTION LIMIT 0", "ALTER ROLE crowded CONNECTION LIMIT -1");
  });

  test("it is read-only, but then reads still work", async () => {
    await server.query("ALTER ROLE crowded SET default_transaction_read_only = on");
    await server.query(endConnections);
    await eventually(read, ({ status }) => status === 200);
    expectRefused([await change(), await addImage()]);
    await server.query("ALTER ROLE crowded RESET default_transaction_read_only");
    await server.query(endConnections);
    expect(await eventually(isFullyServing, Boolean)).toBe(true);
  });

  describe("its database", () => {
    beforeAll(async () => {
      await program.stop();
      await server.query("CREATE ROLE keeper LOGIN PASSWORD 'keeper'");
      await server.query("CREATE DATABASE stock OWNER keeper");
      await startOn(server.address("keeper", "keeper", "stock"));
    });

    test("accepts no connections", () =>
      expectRefusalAndRecovery(
        "ALTER DATABASE stock ALLOW_CONNECTIONS false",
        "ALTER DATABASE stock ALLOW_CONNECTIONS true",
      ));

    test("no longer grants the right to connect", () =>
      expectRefusalAndRecovery(
        "REVOKE CONNECT ON DATABASE stock FROM PUBLIC, keeper",
        "GRANT CONNECT ON DATABASE stock TO keeper",
      ));

    test("is missing", async () => {
      await server.query("ALTER DATABASE stock ALLOW_CONNECTIONS false");
      await server.query(endConnections);
      await expectRefusalAndRecovery(
        "ALTER DATABASE stock RENAME TO mislaid",
        "ALTER DATABASE mislaid RENAME TO stock; ALTER DATABASE stock ALLOW_CONNECTIONS true",
      );
    });

    test("no longer grants the rights to a table of an open connection", async () => {
      const owner = new SQL(server.address("keeper", "keeper", "stock"), { max: 1 });
      await owner.unsafe("REVOKE ALL ON vehicles FROM keeper");
      expectRefused([await read(), await change()]);
      await owner.unsafe("GRANT ALL ON vehicles TO keeper");
      await owner.close();
      expect(await eventually(isFullyServing, Boolean)).toBe(true);
    });
  });
});
