import { Readable } from "node:stream";
import { Problem } from "../../adapters/http/protocol/problem.ts";
import { FORMAT_TYPES, toUpload } from "../../adapters/http/protocol/upload.ts";
import { OPERATOR } from "../../core/access/principal.ts";
import { Failure, type Outcome } from "../../core/failure.ts";
import { type Import, isResting } from "../../core/imports/import.ts";
import type { Core } from "../compose-core.ts";

const POLL_MS = 20;
const CHANNEL = "google_vehicle_listings";
const FILE = "last-night.csv";
/** Rows that people have to mend: a year and a price that cannot be read, and a model that is missing. */
const ROWS = [
  ["Stock Number", "Year", "Make", "Model", "Price"],
  ["M2041", "2O21", "Toyota", "Corolla", "18990"],
  ["M2042", "2020", "Honda", "Civic", "call us"],
  ["M2043", "2019", "Ford", "", "15490"],
];

const resultOf = <Value>(outcome: Outcome<Value>): Value => {
  if (outcome instanceof Failure) throw new Error(`invented data was refused: ${JSON.stringify(outcome.cause)}`);
  return outcome;
};

/** A feed that a channel has fetched, and some of whose vehicles it leaves out. */
const addFeed = async ({ feeds, delivery }: Core, dealerId: number): Promise<void> => {
  const input = { name: "Google", channel: CHANNEL, dealer_ids: [dealerId], store_codes: { [dealerId]: "MAIN" } };
  const { feed, token } = resultOf(await feeds.create(OPERATOR, input));
  const served = await delivery.serve({ id: feed.id, token });
  if (served.kind !== "served") throw new Error(`an invented feed is ${served.kind}`);
  const { lines } = delivery.file(served.feed, "csv", { address: "127.0.0.1", agent: "seed" });
  for (const slice of lines) await slice();
  // Stores the fetch.
  resultOf(await feeds.get(OPERATOR, feed.id));
};

/** A file whose rows all failed, so that no vehicle changes. */
const addImport = async ({ imports, runner }: Core, dealerId: number): Promise<void> => {
  const text = ROWS.map((cells) => `${cells.join(",")}\n`).join("");
  const bytes = Readable.from([Buffer.from(text)]);
  const upload = toUpload({ isPart: true, name: FILE, type: FORMAT_TYPES.get("csv") ?? "", encoding: "", bytes });
  if (upload instanceof Problem) throw new Error(upload.sentence);
  const arrived = resultOf(await imports.receive(OPERATOR, { dealer_id: dealerId }, upload));
  const { id } = resultOf(await imports.start(OPERATOR, arrived));
  runner.start(() => {});
  try {
    for (let present: Import | null = null; present === null || !isResting(present.state); ) {
      await Bun.sleep(POLL_MS);
      present = resultOf(await imports.get(OPERATOR, id));
    }
  } finally {
    await runner.stop();
  }
};

/** What somebody has to look at in the morning: vehicles that a channel leaves out, and rows of a file that failed. */
export const addMorning = async (core: Core, dealerId: number): Promise<void> => {
  await addFeed(core, dealerId);
  await addImport(core, dealerId);
};
