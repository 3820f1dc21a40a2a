import { describe, expect, test } from "bun:test";
import { expectReply } from "../../support/cases.ts";
import { ANSWERING } from "../../support/engines.ts";
import { walkPages } from "../../support/pages.ts";
import { create } from "../../support/sample-records.ts";
import { importsOn } from "./imports.ts";

const NDJSON = { "content-type": "application/x-ndjson" };

/** Keys that no vehicle can have. */
const NO_KEYS = [
  ["with a NUL character", "\u0000"],
  ["with a lone surrogate", "\ud800"],
  ["that is too long", "x".repeat(3000)],
] as const;

const MEBIBYTE = 1024 * 1024;
/** A page in memory has no more bytes, except for its last record. */
const MOST_BYTES = 1.5 * MEBIBYTE;

interface Listed {
  readonly data: readonly { readonly id?: number; readonly row?: number }[];
  readonly meta: { readonly total: number; readonly next_cursor: string | null };
}

for (const engine of ANSWERING)
  describe(`hostile import files on ${engine.name}`, () => {
    const { fixture, newDealer, imported, rowsOf } = importsOn(engine);

    test.each(NO_KEYS)("fail only in rows with a bad key, and say why: a key %s", async (_, key) => {
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
      expectReply(await fixture.api("POST", "/api/vehicles/batch", { body: { items } }), {
        status: 200,
        has: { counts: expect.objectContaining({ failed: 2, unchanged: 1 }) },
      });
    });

    /** All records of a list whose pages end early. */
    const walked = async (path: string): Promise<Listed["data"]> => {
      let pages = 0;
      const items = await walkPages("", 10, async (cursor) => {
        const { body, text } = await fixture.api<Listed>("GET", `${path}limit=1000${cursor}`);
        expect(text.length).toBeLessThan(MOST_BYTES);
        pages++;
        const next = body.meta.next_cursor;
        return { items: body.data, next: next === null ? null : `&cursor=${next}` };
      });
      expect(pages).toBeGreaterThan(1);
      return items;
    };

    test("cannot fill the memory when their rows are read", async () => {
      const dealer = await newDealer();
      const address = "a".repeat(1900);
      const rows = Array.from({ length: 12 }, (_, n) => ({
        ...{ vin: `A${n}`, year: 2020, make: "Kia", model: "Rio", price: 9000, description: "d".repeat(20_000) },
        images: Array.from({ length: 80 }, (__, place) => `https://a.example/${place}/${address}`),
      }));
      const raw = rows.map((row) => JSON.stringify(row)).join("\n");
      const { id } = await imported({ dealer, raw, headers: NDJSON, options: "dry_run=true" });
      const read = await walked(`/api/imports/${id}/rows?`);
      expect(read.map(({ row }) => row)).toEqual(rows.map((_, n) => n + 1));
    });

    test("get their failed rows back whole, however long", async () => {
      const dealer = await newDealer();
      const lines = Array.from({ length: 6 }, (_, n) => `A${n},1500,Kia,Rio,9000,${"d".repeat(100_000)}`);
      const raw = `vin,year,make,model,price,description\n${lines.join("\n")}\n`;
      const { id, counts } = await imported({ dealer, raw });
      expect(counts).toMatchObject({ failed: 6 });
      const { text } = await fixture.api("GET", `/api/imports/${id}/errors.csv`);
      const [, ...failed] = text.trimEnd().split("\r\n");
      expect(failed.map((line, n) => line.startsWith(lines[n] ?? "-"))).toEqual(lines.map(() => true));
    });

    test("cannot fill the memory through long lists of mappings", async () => {
      const dealer_id = await newDealer();
      const columns = Object.fromEntries(Array.from({ length: 99 }, (_, n) => [`${n}${"h".repeat(180)}`, null]));
      const ids: number[] = [];
      for (let n = 0; n < 60; n++)
        ids.unshift((await create(fixture.api, "/api/import-mappings", { name: `${n}`, dealer_id, columns })).id);
      const read = await walked(`/api/import-mappings?dealer_id=${dealer_id}&`);
      expect(read.map(({ id }) => id)).toEqual(ids);
    });
  });
