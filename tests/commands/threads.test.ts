import { expect, setDefaultTimeout, test } from "bun:test";
import { statSync } from "node:fs";
import { clientOf, documentationAt } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { migratedProgram, TEST_TIMEOUT_MS } from "../support/program.ts";
import { create, dealerBody, vehicleBody } from "../support/sample-records.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const KEY = "bootstrap-key-of-the-threads-of-the-tests";
/** The log's size from which the writing connection copies it itself. */
const OWN_COPY_BYTES = 4000 * 4096;

test("the program carries the module of the thread that copies the log into the database's file", async () => {
  const program = migratedProgram();
  const { url, stop } = await program.serve({ BOOTSTRAP_API_KEY: KEY });
  const api = clientOf(url, KEY, await documentationAt(url));
  const { id } = await create(api, "/api/dealers", dealerBody());
  const sizeBefore = statSync(program.database).size;
  let made = 0;
  await eventually(
    async () => {
      const items = Array.from({ length: 50 }, () => vehicleBody(id, { stock_number: `${++made}` }));
      // On a busy machine it may come too late, and is undone.
      expect([200, 503]).toContain((await api("POST", "/api/vehicles/batch", { body: { items } })).status);
      return statSync(program.database).size;
    },
    (size) => size > sizeBefore,
  );
  expect(statSync(`${program.database}-wal`).size).toBeLessThan(OWN_COPY_BYTES);
  expect((await stop()).code).toBe(0);
});
