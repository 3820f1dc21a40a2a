import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { inGate } from "../support/depth.ts";
import { eventually } from "../support/eventually.ts";
import { HUNG_MS } from "../support/hung.ts";
import { partlyMade } from "./support/consistency.ts";
import { Ledger } from "./support/ledger.ts";
import { DEALER, type Program, startProgram } from "./support/program.ts";
import { type FaultyServer, startFaultyServer } from "./support/server.ts";
import { type Shared, startWork } from "./support/work.ts";

/** How often half of the connections are terminated, and how often the whole server. */
const ROUNDS = Number(process.env.FAULT_ROUNDS ?? inGate(6, 20));
const RESTARTS = Number(process.env.FAULT_RESTARTS ?? inGate(1, 2));
/** Answers that the workers get between two faults, and while the server is gone. */
const BETWEEN = 30;
const DEALERS = 4;
const VEHICLES = 6;

setDefaultTimeout(HUNG_MS + ROUNDS * 1000 + RESTARTS * 15_000);

/** Ends every second connection: those that the round before spared. */
const endHalf = (round: number): string => `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND pid % 2 = ${round % 2}`;

let server: FaultyServer;
let program: Program;
let shared: Shared;

beforeAll(async () => {
  server = await startFaultyServer();
  program = await startProgram(server.address());
  const made = async (path: string, body: object): Promise<number> =>
    Number((await program.send("POST", path, body)).body.id);
  const dealers: number[] = [];
  for (let count = 0; count < DEALERS; count++) dealers.push(await made("/api/dealers", DEALER));
  const vehicles: number[] = [];
  for (let count = 0; count < VEHICLES; count++)
    vehicles.push(
      await made("/api/vehicles", { dealer_id: dealers[0], make: "Kia", model: "Niro", year: 2025, price: 1 }),
    );
  shared = { dealers, vehicles };
});

afterAll(async () => {
  await program?.stop();
  await server?.remove();
});

/** Lets the workers get on. */
const worked = async (ledger: Ledger): Promise<void> => {
  const wanted = ledger.answers + BETWEEN;
  await eventually(
    () => ledger.answers + ledger.wrongs.length,
    (answers) => answers >= wanted,
  );
};

/** Reads and writes once, covering everything that full service needs. */
const isFullyServing = async (): Promise<boolean> => {
  const outcomes = await Promise.all([
    ...shared.vehicles.map((id) => program.send("PUT", `/api/vehicles/${id}`, { mileage: 1 })),
    ...shared.dealers.map((id) => program.send("GET", `/api/dealers/${id}/stats`)),
    program.send("GET", "/health/ready"),
  ]);
  return outcomes.every(({ status }) => status === 200);
};

const settle = async (ledger: Ledger): Promise<void> => {
  expect(ledger.wrongs).toEqual([]);
  expect(ledger.differencesFrom(await server.query("SELECT vin, stock_number FROM vehicles"))).toEqual([]);
  expect(await partlyMade(server)).toEqual([]);
  expect(program.exitCode).toBeNull();
  expect(program.output()).not.toContain("internal_error");
  if (process.env.FAULT_REPORT !== undefined) process.stderr.write(`${JSON.stringify([...ledger.counts])}\n`);
};

describe("a service under load", () => {
  test("loses nothing and keeps nobody waiting when connections are terminated", async () => {
    const ledger = new Ledger();
    const work = startWork(program.send, ledger, shared);
    for (let round = 0; round < ROUNDS; round++) {
      await server.query(endHalf(round));
      await worked(ledger);
    }
    expect(await eventually(isFullyServing, Boolean)).toBe(true);
    await work.stop();
    await settle(ledger);
  });

  test("loses nothing when the database server crashes, and uses it again when it is back", async () => {
    const ledger = new Ledger();
    const work = startWork(program.send, ledger, shared);
    for (let restart = 0; restart < RESTARTS; restart++) {
      await worked(ledger);
      await server.crash();
      await worked(ledger);
      expect((await program.send("GET", "/health/ready")).status).toBe(503);
      await server.start();
      expect(await eventually(isFullyServing, Boolean)).toBe(true);
    }
    await work.stop();
    await settle(ledger);
  });
});
