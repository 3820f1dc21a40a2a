import { describe, expect, test } from "bun:test";
import { expectReply } from "../../support/cases.ts";
import { ENGINES } from "../../support/engines.ts";
import { importsOn } from "./imports.ts";

const NDJSON = { "content-type": "application/x-ndjson" };

/** Keys that no vehicle can have. */
const NO_KEYS = [
  ["with a NUL character", "\u0000"],
  ["with a lone surrogate", "\ud800"],
  ["that is too long", "x".repeat(3000)],
] as const;

for (const engine of ENGINES)
  describe(`files that are made to do harm, on ${engine.name}`, () => {
    const { scene, newDealer, imported, rowsOf } = importsOn(engine);

    test.each(NO_KEYS)("have rows that fail alone, and say why: a key %s", async (_, key) => {
      const dealer = await newDealer();
      const good = { year: 2020, make: "Kia", model: "Rio", price: 9000 };
      const rows = [
        { ...good, vin: key },
        { ...good, stock_number: key },
        { ...good, vin: "A1" },
      ];
      const raw = rows.map((row) => JSON.stringify(row)).join("\n");
      const done = await imported({ dealer, raw, headers: NDJSON });
      expect(done).toMatchObject({ state: "completed", counts: { created: 1, failed: 2 } });
      const failed = await rowsOf(done.id, "outcome=failed");
      expect(failed).toMatchObject([
        { errors: [{ path: "vin", code: "value_invalid" }] },
        { errors: [{ path: "stock_number", code: "value_invalid" }] },
      ]);
      for (const row of failed) expect(row.key?.length).toBeLessThanOrEqual(100);
      const items = rows.map((row) => ({ ...row, dealer_id: dealer }));
      expectReply(await scene.api("POST", "/api/vehicles/batch", { body: { items } }), {
        status: 200,
        has: { counts: expect.objectContaining({ failed: 2, unchanged: 1 }) },
      });
    });
  });
