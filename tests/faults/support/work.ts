import { Random } from "../../../app/seed/random.ts";
import { SEED } from "../../support/depth.ts";
import type { Entry, Ledger } from "./ledger.ts";
import type { Send } from "./program.ts";

/** The number of concurrent workers; each reads and writes. */
const WORKERS = 12;
const MAX_OWN = 8;

/** Vehicles and dealers that all workers change concurrently. */
export interface Shared {
  readonly dealers: readonly number[];
  readonly vehicles: readonly number[];
}

let numbers = 0;
let images = 0;

/** What a worker needs. */
interface WorkerParts {
  readonly send: Send;
  readonly ledger: Ledger;
  readonly shared: Shared;
  readonly chance: Random;
}

/** The changes and reads of one worker. Nobody else changes its own vehicles, so it knows their state. */
const workerOf = ({ send, ledger, shared: { dealers, vehicles }, chance }: WorkerParts) => {
  const pick = <Item>(items: readonly Item[]): Item => chance.pick(items);
  const own: Entry[] = [];

  const create = async (): Promise<void> => {
    const vin = `FAULT-${++numbers}`;
    const outcome = await send("POST", "/api/vehicles", {
      dealer_id: pick(dealers),
      make: "Toyota",
      model: "Camry",
      year: 2024,
      price: 25_000.5,
      vin,
      stock_number: "new",
    });
    const result = ledger.record("a creation", outcome, 201);
    const entry: Entry = {
      vin,
      id: result === "made" ? Number(outcome.body.id) : null,
      existence: result === "made" ? "there" : result === "unknown" ? "unknown" : "not there",
      stockNumbers: new Set(["new"]),
    };
    ledger.entries.push(entry);
    if (result === "made") own.push(entry);
  };

  const change = async (): Promise<void> => {
    const entry = pick(own);
    const stockNumber = `stock-${++numbers}`;
    const body = { stock_number: stockNumber, dealer_id: pick(dealers), price: numbers % 90_000 };
    const result = ledger.record("a change", await send("PUT", `/api/vehicles/${entry.id}`, body), 200);
    if (result === "made") entry.stockNumbers = new Set([stockNumber]);
    if (result === "unknown") entry.stockNumbers.add(stockNumber);
  };

  const remove = async (): Promise<void> => {
    const entry = own.shift();
    if (entry === undefined) return;
    const result = ledger.record("a removal", await send("DELETE", `/api/vehicles/${entry.id}`), 200);
    if (result === "made") entry.existence = "not there";
    if (result === "unknown") entry.existence = "unknown";
    if (result === "not made") own.push(entry);
  };

  const addImage = async (): Promise<void> => {
    // An address of its own: one that the vehicle has already would be no new image.
    const body = { image_url: `https://images.example.com/${++images}.jpg`, is_primary: true };
    ledger.record("an image", await send("POST", `/api/vehicles/${pick(vehicles)}/images`, body), 201);
  };

  const moveShared = async (): Promise<void> => {
    const body = { dealer_id: pick(dealers), status: pick(["available", "sold", "pending"]) };
    ledger.record("a reassignment", await send("PUT", `/api/vehicles/${pick(vehicles)}`, body), 200);
  };

  const read = async (): Promise<void> => {
    const dealer = pick(dealers);
    const path = pick([
      `/api/vehicles/${pick(vehicles)}`,
      `/api/vehicles?dealer_id=${dealer}&limit=20`,
      `/api/dealers/${dealer}/stats`,
    ]);
    ledger.record("a read", await send("GET", path), 200);
  };

  return (): Promise<void> => {
    if (own.length === 0) return create();
    return pick([
      create,
      change,
      change,
      own.length > MAX_OWN ? remove : create,
      addImage,
      moveShared,
      read,
      read,
      read,
    ])();
  };
};

/** Keeps all workers busy until stopped. */
export const startWork = (send: Send, ledger: Ledger, shared: Shared): { stop(): Promise<void> } => {
  let isStopping = false;
  const work = async (_: unknown, number: number): Promise<void> => {
    const step = workerOf({ send, ledger, shared, chance: new Random(SEED, number) });
    while (!isStopping) await step().catch((error) => ledger.recordBroken("a request", error));
  };
  const all = Promise.all(Array.from({ length: WORKERS }, work));
  return {
    async stop() {
      isStopping = true;
      await all;
    },
  };
};
