import { describe, expect, test } from "bun:test";
import { expectReply } from "../../support/cases.ts";
import { ENGINES } from "../../support/engines.ts";
import { type CreatedKey, create, keyBody, vehicleBody } from "../../support/sample-records.ts";
import { pairs } from "../../support/service.ts";
import { HEAD, importsOn } from "./imports.ts";

for (const engine of ENGINES)
  describe(`imports on ${engine.name}`, () => {
    const { fixture, newDealer, post, rested, imported, rowsOf, vehiclesOf } = importsOn(engine);

    describe("in snapshot mode", () => {
      const line = (vin: string) => `${vin},,2020,Honda,Civic,9000`;
      const file = (...vins: readonly string[]) => `${HEAD}\n${vins.map(line).join("\n")}\n`;
      const statuses = async (dealer: number) =>
        Object.fromEntries((await vehiclesOf(dealer)).map(({ vin, status }) => [vin, status]));
      const dealerWith = async (...vins: readonly string[]): Promise<number> => {
        const dealer = await newDealer();
        await imported({ dealer, raw: file(...vins) });
        return dealer;
      };

      test("mark unnamed vehicles as sold, and named ones as available again", async () => {
        const dealer = await dealerWith("A1", "B1", "C1");
        expect(await imported({ dealer, options: "mode=snapshot", raw: file("A1", "D1") })).toMatchObject({
          state: "completed",
          counts: { created: 1, unchanged: 1, missing: 2 },
        });
        expect(await statuses(dealer)).toEqual({ A1: "available", B1: "sold", C1: "sold", D1: "available" });
        const back = await imported({ dealer, options: "mode=snapshot&missing=report", raw: file("B1") });
        expect(back).toMatchObject({ state: "completed", counts: { updated: 1, missing: 2 } });
        expect(await statuses(dealer)).toEqual({ A1: "available", B1: "available", C1: "sold", D1: "available" });
        expect(await rowsOf(back.id, "outcome=missing")).toMatchObject([
          { line: null, row: null, outcome: "missing", changes: {} },
          { outcome: "missing" },
        ]);
      });

      test("leave vehicles as they are if the file may end within its last row, and tell it", async () => {
        const dealer = await dealerWith("A1", "B1", "C1");
        const cutOff = await imported({ dealer, options: "mode=snapshot", raw: `${file("A1")}B1,,2020,Honda,Ci` });
        expect(cutOff).toMatchObject({
          state: "completed",
          counts: { updated: 1, unchanged: 1, missing: null },
          warnings: [{ code: "missing_not_determined" }],
        });
        expect(await rowsOf(cutOff.id, "outcome=updated")).toMatchObject([
          { line: 3, warnings: [{ code: "file_may_be_cut_off" }] },
        ]);
        expect(await statuses(dealer)).toEqual({ A1: "available", B1: "available", C1: "available" });
        // A line below the table may be short.
        const footer = await imported({ dealer, options: "mode=snapshot", raw: `${file("A1", "B1")}Total: 2` });
        expect(footer).toMatchObject({ counts: { skipped: 1, missing: 1 } });
      });

      test("remove nothing without the permission", async () => {
        const dealer = await dealerWith("A1", "B1");
        const options = "mode=snapshot&missing=remove";
        const body = keyBody({ dealer_id: dealer, permissions: pairs("vehicles:write") });
        const { api_key: key } = await create<CreatedKey>(fixture.api, "/api/keys", body);
        expectReply(await post({ options, key, raw: file("A1") }), { status: 403, code: "permission_missing" });
        expect(await imported({ dealer, options, raw: file("A1") })).toMatchObject({
          counts: { missing: 1, removed: 1 },
        });
        expect(await statuses(dealer)).toEqual({ A1: "available" });
      });

      test("count a failed row as present, and remove nothing if a row's key cannot be read", async () => {
        const dealer = await dealerWith("A1", "B1", "C1");
        const failing = `${HEAD}\nA1,,2020,Honda,Civic,9000\nB1,,1,Honda,Civic,1\n`;
        expect(await imported({ dealer, options: "mode=snapshot", raw: failing })).toMatchObject({
          counts: { failed: 1, missing: 1 },
        });
        expect(await statuses(dealer)).toEqual({ A1: "available", B1: "available", C1: "sold" });
        const unread = `${file("A1")},,2020,Honda,Civic,1\n`;
        expect(await imported({ dealer, options: "mode=snapshot", raw: unread })).toMatchObject({
          state: "completed",
          counts: { failed: 1, missing: null },
        });
        expect(await imported({ dealer, options: "mode=snapshot", raw: `${HEAD}\n,,1,a,b,1\n` })).toMatchObject({
          state: "failed",
          error: { code: "no_good_row" },
        });
      });

      const UNREADABLE = [
        ["a VIN that a spreadsheet made a number", "1.23457E+16,,2020,Honda,Civic,1\n"],
        ["a VIN that is none", "#N/A,,2020,Honda,Civic,1\n"],
        ["cells that are not where they belong", "x,A1,B1,2020,Honda,Civic,1\n"],
        ["a file that was cut off", "B"],
      ] as const;
      for (const [name, row] of UNREADABLE)
        test(`remove nothing after ${name}`, async () => {
          const dealer = await dealerWith("A1", "B-long1");
          expect(await imported({ dealer, options: "mode=snapshot", raw: `${file("A1")}${row}` })).toMatchObject({
            state: "completed",
            counts: { failed: 1, missing: null },
          });
          expect(await statuses(dealer)).toEqual({ A1: "available", "B-long1": "available" });
        });

      test("find the vehicle of a row with a bad VIN by its stock number", async () => {
        const dealer = await newDealer();
        await imported({
          dealer,
          raw: `${HEAD}\nA1,S1,2020,Honda,Civic,1\nB1,S2,2020,Honda,Civic,1\nC1,S3,2020,Honda,Civic,1\n`,
        });
        const raw = `${HEAD}\nA1,S1,2020,Honda,Civic,1\n#N/A,S2,2020,Honda,Civic,1\n`;
        expect(await imported({ dealer, options: "mode=snapshot", raw })).toMatchObject({ counts: { missing: 1 } });
        expect(await statuses(dealer)).toEqual({ A1: "available", B1: "available", C1: "sold" });
      });

      test("wait for a confirmation of the number of missing vehicles", async () => {
        const dealer = await dealerWith("A1", "B1", "C1", "D1", "E1");
        const waiting = await imported({ dealer, options: "mode=snapshot", raw: file("A1") });
        expect(waiting).toMatchObject({ state: "needs_confirmation", counts: { unchanged: 1, missing: 4 } });
        const confirm = (missing: number, key?: string) =>
          fixture.api("POST", `/api/imports/${waiting.id}/confirm`, { body: { missing }, ...(key && { key }) });
        expectReply(await confirm(3), { status: 409, code: "confirmation_stale" });
        expectReply(await confirm(4, fixture.records.keys.north.api_key), { status: 404, code: "not_found" });
        expectReply(await confirm(4, fixture.records.keys.powerless.api_key), { status: 403 });
        await create(fixture.api, "/api/vehicles", vehicleBody(dealer, { vin: "F1" }));
        expectReply(await confirm(4), { status: 409, code: "confirmation_stale" });
        expectReply(await confirm(5), { status: 202 });
        expect(await rested(waiting.id)).toMatchObject({ state: "completed", counts: { missing: 5 } });
        expect(Object.values(await statuses(dealer)).filter((status) => status === "sold")).toHaveLength(5);
        expectReply(await confirm(5), { status: 409, code: "import_state" });
      });

      test("compare with the vehicles for sale, not with those sold before", async () => {
        const old = Array.from({ length: 20 }, (_, at) => `OLD${at}`);
        const sold = `${HEAD},Status\n${old.map((vin) => `${line(vin)},Sold\n`).join("")}`;
        for (const raw of [file("A1", ...old), `${sold}${line("A1")},Live\n`]) {
          const dealer = await dealerWith("A1", "B1", "C1", "D1", "E1");
          await imported({ dealer, raw: sold });
          expect(await imported({ dealer, options: "mode=snapshot", raw })).toMatchObject({
            state: "needs_confirmation",
            counts: { missing: 4 },
          });
        }
      });

      test("need a single dealer", async () => {
        expectReply(await post({ options: "mode=snapshot", raw: `dealer_id,${file("A1")}` }), {
          status: 400,
          code: "invalid_input",
        });
      });
    });
  });
