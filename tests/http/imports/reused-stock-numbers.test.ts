import { describe, expect, test } from "bun:test";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { expectReply } from "../../support/cases.ts";
import { ENGINES } from "../../support/engines.ts";
import { importsOn } from "./imports.ts";

const HEAD = "Stock #,VIN,Year,Make,Model,Price\n";
const CIVIC = `${HEAD}1001,1HGBH41JXMN109186,2024,Honda,Civic,24000\n`;
const TRUCK = `${HEAD}1001,1J9RP1A36A1644345,2026,Ford,F-150,61000\n`;

for (const engine of ENGINES)
  describe(`the keys of rows on ${engine.name}`, () => {
    const { fixture, newDealer, imported, rowsOf, vehiclesOf } = importsOn(engine);
    const shown = async (dealer: number) =>
      (await vehiclesOf(dealer)).map(({ vin, price, status }) => [vin, price, status]).sort();

    test("give the stock number of a sold vehicle to a new one, night after night", async () => {
      const dealer = await newDealer();
      await imported({ dealer, raw: CIVIC });
      const taken = await imported({ dealer, raw: TRUCK });
      expect(await rowsOf(taken.id)).toMatchObject([{ outcome: "failed", errors: [{ code: "match_conflict" }] }]);
      const [civic] = await vehiclesOf(dealer);
      const path = `/api/vehicles/${civic?.id}`;
      expectReply(await fixture.api<Vehicle>("PUT", path, { body: { status: "sold" } }), { status: 200 });
      expect((await imported({ dealer, raw: TRUCK })).counts).toMatchObject({ created: 1, failed: 0 });
      expect((await imported({ dealer, raw: TRUCK })).counts).toMatchObject({ unchanged: 1, failed: 0 });
      const byStock = "Stock #,Price\n1001,60500\n";
      expect((await imported({ dealer, raw: byStock })).counts).toMatchObject({ updated: 1, failed: 0 });
      expect(await shown(dealer)).toEqual([
        ["1HGBH41JXMN109186", 24_000, "sold"],
        ["1J9RP1A36A1644345", 60_500, "available"],
      ]);
    });

    test("find a vehicle by its stock number if its VIN is only misspelt, and the right VIN is kept", async () => {
      const dealer = await newDealer();
      const row = (vin: string, price: number) => `${HEAD}2001,${vin},2024,Honda,Civic,${price}\n`;
      await imported({ dealer, raw: row("1HGBH41JXMN1O9186", 24_000) });
      const right = await imported({ dealer, raw: row("1HGBH41JXMN109186", 23_500) });
      expect(right.counts).toMatchObject({ updated: 1, failed: 0 });
      expect(await shown(dealer)).toEqual([["1HGBH41JXMN109186", 23_500, "available"]]);
      const wrong = await imported({ dealer, raw: row("1HGBH41JXMN1O9186", 23_000) });
      const [result] = await rowsOf(wrong.id);
      expect(result?.warnings.map(({ code }) => code)).toContain("vin_kept");
      expect(await shown(dealer)).toEqual([["1HGBH41JXMN109186", 23_000, "available"]]);
    });
  });
