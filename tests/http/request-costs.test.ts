import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { tagOf } from "../../adapters/http/protocol/etag.ts";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import type { Sql, SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { secrets } from "../../adapters/system/secrets.ts";
import { ensureFirstKey } from "../../app/first-key.ts";
import { serviceClock } from "../support/clock.ts";
import { coreOn, routesOf } from "../support/core.ts";
import { ENGINES } from "../support/engines.ts";
import { dealerFields, OPERATOR, vehicleFields } from "../support/records.ts";
import { routerOn } from "./router.ts";

setDefaultTimeout(300_000);

const KEY = `vis_desktop_${"k".repeat(40)}`;
const CARS = 30;
/** Other work of the process only adds to what is counted, so the least of some requests is exact. */
const TRIES = 10;
const PAGE = "/api/vehicles?dealer_id=1&limit=20";
const STATISTICS = "/api/dealers/1/stats";

/** What one request costs. A change that makes one of the numbers below larger says why. */
interface Cost {
  /** Statements that are sent to the database. */
  readonly statements: number;
  readonly transactions: number;
  /** Turns of the event loop until the answer is there. */
  readonly turns: number;
  readonly headers: number;
  /** The length of the body. */
  readonly bytes: number;
}

/** The same database, with its statements and transactions counted. */
const counting = (db: SqlDatabase) => {
  const count = { statements: 0, transactions: 0 };
  const on = (sql: Sql): Sql => ({
    all(statement, values) {
      count.statements++;
      return sql.all(statement, values);
    },
  });
  const counted: SqlDatabase = {
    ...db,
    ...on(db),
    first(statement, values) {
      count.statements++;
      return db.first(statement, values);
    },
    longReads: { ...db.longReads, ...on(db.longReads) },
    write(work) {
      count.transactions++;
      return db.write(({ once: _, ...tx }) => work({ ...tx, ...on(tx) }));
    },
    writeOne(statement, values) {
      count.statements++;
      count.transactions++;
      return db.writeOne(statement, values);
    },
  };
  return { count, counted };
};

for (const engine of ENGINES)
  describe(`a request on ${engine.name} costs exactly`, () => {
    const isSqlite = engine.name === "SQLite";
    const clock = serviceClock();
    let db: SqlDatabase;
    let send: (method: string, path: string, sent?: { body?: unknown; tag?: string }) => Promise<Cost>;
    let close: () => Promise<void>;

    beforeAll(async () => {
      db = await engine.open();
      const { count, counted } = counting(db);
      const core = coreOn(counted, clock);
      await ensureFirstKey({ keys: core.firstKeys, secrets, clock, show: () => {} }, KEY);
      const routes = routesOf(core, { exposeSql: false });
      const app = routerOn({ core, clock, routes });
      const { id } = await makeDealerRepository(db).insert(dealerFields(), OPERATOR);
      for (let car = 0; car < CARS; car++) await makeVehicleRepository(db).insert(vehicleFields(id), OPERATOR);
      send = async (method, path, { body, tag } = {}) => {
        const request = new Request(`http://localhost${path}`, {
          method,
          headers: {
            ...{ "x-api-key": KEY, "content-type": "application/json", "x-request-id": "costs" },
            ...(tag !== undefined && { "if-none-match": tag }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        // Where nothing else has a turn for a second, no timer asks whether somebody's rights have changed, and each
        // request does.
        core.cache.stop();
        await core.cache.start(() => {});
        const before = { ...count };
        // PostgreSQL answers over a network, whose turns nobody counts.
        const answered = { turns: 0, done: !isSqlite };
        const turn = (): void => {
          if (answered.done) return;
          answered.turns++;
          setImmediate(turn);
        };
        setImmediate(turn);
        const response = await app.fetch(request);
        answered.done = true;
        const cost = {
          statements: count.statements - before.statements,
          transactions: count.transactions - before.transactions,
          turns: answered.turns,
        };
        expect(response.ok).toBe(tag === undefined);
        if (tag !== undefined) expect(response.status).toBe(304);
        return { ...cost, headers: [...response.headers].length, bytes: (await response.arrayBuffer()).byteLength };
      };
      close = async () => {
        await core.cache.stop();
        await db.close();
      };
    });
    afterAll(() => close());

    /** The least that such a request costs, each number by itself. */
    const leastOf = async (request: () => Promise<Cost>): Promise<Cost> => {
      let least = await request();
      for (let time = 1; time < TRIES; time++) {
        const cost = await request();
        least = Object.fromEntries(
          Object.entries(cost).map(([name, value]) => [name, Math.min(value, least[name as keyof Cost])]),
        ) as unknown as Cost;
      }
      return least;
    };

    let changed = 1000;
    const next = (): number => ++changed;
    const get = (path: string) => () => send("GET", path);
    /** The same, after somebody changed a vehicle, so that nothing that was kept is right. */
    const getAnew = (path: string) => async () => {
      const changes = { description: `${next()}` };
      const change = { id: 1, scope: null, changes, now: clock.now(), versions: null, by: OPERATOR };
      await makeVehicleRepository(db).update(change);
      return send("GET", path);
    };
    /** Asks for a vehicle that the client has. */
    const getKnown = async () => {
      const vehicle = await makeVehicleRepository(db).find(2, null);
      return send("GET", "/api/vehicles/2", { tag: tagOf(2, vehicle?.updated_at ?? "") });
    };
    const car = () => ({ dealer_id: 1, make: "Kia", model: "Rio", year: 2024, price: 1, vin: `V${next()}` });

    for (const [name, request, { sqlite, postgres, ...cost }] of [
      [
        "a vehicle by id",
        getAnew("/api/vehicles/1"),
        { sqlite: { statements: 1, turns: 0 }, postgres: { statements: 1 }, transactions: 0, headers: 9, bytes: 852 },
      ],
      [
        "the same vehicle again",
        get("/api/vehicles/2"),
        { sqlite: { statements: 0, turns: 0 }, postgres: { statements: 1 }, transactions: 0, headers: 9, bytes: 850 },
      ],
      [
        "the same vehicle, which the client has",
        getKnown,
        { sqlite: { statements: 0, turns: 0 }, postgres: { statements: 1 }, transactions: 0, headers: 8, bytes: 0 },
      ],
      [
        "a dealer's page",
        getAnew(PAGE),
        {
          sqlite: { statements: 3, turns: 0 },
          postgres: { statements: 3 },
          transactions: 0,
          headers: 11,
          bytes: 17_235,
        },
      ],
      [
        "the same page again",
        get(PAGE),
        {
          sqlite: { statements: 0, turns: 0 },
          postgres: { statements: 1 },
          transactions: 0,
          headers: 11,
          bytes: 17_235,
        },
      ],
      [
        "a dealer's statistics",
        getAnew(STATISTICS),
        { sqlite: { statements: 2, turns: 0 }, postgres: { statements: 2 }, transactions: 0, headers: 9, bytes: 452 },
      ],
      [
        "the same statistics again",
        get(STATISTICS),
        { sqlite: { statements: 0, turns: 0 }, postgres: { statements: 1 }, transactions: 0, headers: 9, bytes: 452 },
      ],
      [
        "a new price",
        () => send("PUT", "/api/vehicles/3", { body: { price: 20_000 + next() } }),
        { sqlite: { statements: 3, turns: 1 }, postgres: { statements: 1 }, transactions: 1, headers: 9, bytes: 870 },
      ],
      [
        "a new vehicle",
        () => send("POST", "/api/vehicles", { body: car() }),
        { sqlite: { statements: 4, turns: 1 }, postgres: { statements: 1 }, transactions: 1, headers: 10, bytes: 837 },
      ],
    ] as const)
      test(name, async () => {
        expect(await leastOf(request)).toMatchObject({ ...cost, ...(isSqlite ? sqlite : postgres) });
      });
  });
