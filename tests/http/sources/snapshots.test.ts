import { describe, expect, test } from "bun:test";
import type { SourceRun } from "../../../core/sources/source.ts";
import { expectReply } from "../../support/cases.ts";
import { ENGINES } from "../../support/engines.ts";
import { create, vehicleBody } from "../../support/sample-records.ts";
import { fileOf, HEAD, sourcesOn } from "./sources.ts";

for (const engine of ENGINES)
  describe(`import sources on ${engine.name}`, () => {
    const { fixture, siteOf, taggedSite, newDealer, made, read, ran, importOf, statusesOf } = sourcesOn(engine);

    test("count a snapshot's vehicles as missing after two files in a row without them, even if the second is the same", async () => {
      let file = { text: fileOf("C1", "C2", "C3"), tag: '"1"' };
      const { url } = await taggedSite(() => file);
      const dealer = await newDealer();
      const { id } = await made(dealer, url, { options: { mode: "snapshot" } });
      const files = [
        ["C1", "C2", "C3"],
        ["C1", "C3"],
        ["C1", "C2"],
        ["C1", "C2"],
      ];
      const seen: unknown[] = [];
      for (const [place, vins] of files.entries()) {
        file = { text: fileOf(...vins), tag: `"${place + 1}"` };
        const { counts } = await importOf(await ran(id));
        seen.push([counts.missing, await statusesOf(dealer)]);
      }
      const [all, here] = [{ C1: "available", C2: "available", C3: "available" }, "available"];
      expect(seen).toEqual([
        [0, all],
        [0, all],
        [0, all],
        [1, { C1: here, C2: here, C3: "sold" }],
      ]);

      // C2 is missing, and then the same file is requested again.
      file = { text: fileOf("C1"), tag: '"5"' };
      expect(await importOf(await ran(id))).toMatchObject({ counts: { missing: 0 } });
      expect(await importOf(await ran(id))).toMatchObject({ counts: { missing: 1 } });
      expect(await statusesOf(dealer)).toEqual({ C1: here, C2: "sold", C3: "sold" });
    });

    test("wait for a confirmation if many vehicles of a snapshot are missing, and the confirmation counts the same ones", async () => {
      const vins = Array.from({ length: 8 }, (_, n) => `D${n}`);
      let text = fileOf(...vins);
      const { url } = await siteOf((_, response) => response.end(text));
      const dealer = await newDealer();
      const { id } = await made(dealer, url, { options: { mode: "snapshot" } });
      await importOf(await ran(id));
      text = fileOf("D0", "D1", "D2");
      expect(await importOf(await ran(id))).toMatchObject({ state: "completed", counts: { missing: 0 } });
      text = fileOf("D0", "D1");
      const waiting = await importOf(await ran(id));
      expect(waiting).toMatchObject({ state: "needs_confirmation", counts: { missing: 5 } });
      const body = { missing: 5 };
      expectReply(await fixture.api("POST", `/api/imports/${waiting.id}/confirm`, { body }), { status: 202 });
      const confirmed = await importOf({ ...((await read(id)).runs[0] as SourceRun), import_id: waiting.id });
      expect(confirmed).toMatchObject({ state: "completed", counts: { missing: 5 } });
      expect(Object.values(await statusesOf(dealer)).filter((status) => status === "sold")).toHaveLength(5);
      expect((await statusesOf(dealer)).D2).toBe("available");
    });

    test("say in their run that it is not known which vehicles are missing, with the lines, and what was assumed", async () => {
      let text = `${HEAD},In stock date\nW1,2020,Kia,Rio,9000,05/06/2026\nW2,2020,Kia,Rio,9000,\n`;
      const { url } = await siteOf((_, response) => response.end(text));
      const dealer = await newDealer();
      const { id } = await made(dealer, url, { options: { mode: "snapshot" } });
      const told = async (): Promise<SourceRun> => {
        await importOf(await ran(id));
        return (await read(id)).runs[0] as SourceRun;
      };
      expect(await told()).toMatchObject({
        problem: null,
        warnings: [
          { code: "date_order_assumed", path: "In stock date", message: expect.stringContaining("05/06/2026") },
        ],
      });
      text = `${HEAD}\nW1,2020,Kia,Rio,9000\n,2021,Kia,Ceed,9500\n`;
      expect(await told()).toMatchObject({
        problem: null,
        warnings: [{ code: "missing_not_determined", message: expect.stringContaining("line 3") }],
      });
      expect(await statusesOf(dealer)).toEqual({ W1: "available", W2: "available" });
      text = `${HEAD}\nW1,2020,Kia,Rio,9000\nW2,2020,Kia,Rio,9000\n`;
      expect(await told()).toMatchObject({ problem: null, warnings: [] });
      expect((await read(id)).runs.map(({ warnings }) => warnings.map(({ code }) => code))).toEqual([
        [],
        ["missing_not_determined"],
        ["date_order_assumed"],
      ]);
    });

    test("do not count a manually added vehicle as missing after one file", async () => {
      const { url } = await siteOf((_, response) => response.end(fileOf("K1")));
      const dealer = await newDealer();
      const { id } = await made(dealer, url, { options: { mode: "snapshot" } });
      await importOf(await ran(id));
      await create(fixture.api, "/api/vehicles", vehicleBody(dealer, { vin: "BYHAND" }));
      await importOf(await ran(id));
      expect(await statusesOf(dealer)).toEqual({ BYHAND: "available", K1: "available" });
    });
  });
