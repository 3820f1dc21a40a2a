import { describe, expect, test } from "bun:test";
import type { RowWithCells } from "../../../core/imports/import.ts";
import type { MendingAnswer } from "../../../core/imports/mending.ts";
import { expectReply } from "../../support/cases.ts";
import { ENGINES } from "../../support/engines.ts";
import { create, vehicleBody } from "../../support/sample-records.ts";
import { importsOn } from "./imports.ts";

const HEADING = "VIN;Year;Make;Model;Price;Note";

for (const engine of ENGINES)
  describe(`failed rows on ${engine.name}`, () => {
    const { fixture, newDealer, imported, rowsOf, vehiclesOf } = importsOn(engine);

    const mend = (id: number, body: object, key?: string) =>
      fixture.api<MendingAnswer>("POST", `/api/imports/${id}/mend`, { body, ...(key !== undefined && { key }) });

    test("are mended where they stand: with the columns of their file, as a part of its import and of its change", async () => {
      const dealer = await newDealer();
      for (const vin of ["M1", "M2"])
        await create(fixture.api, "/api/vehicles", vehicleBody(dealer, { vin, price: 100 }));
      const raw = `${HEADING}\nM1;1500;Kia;Rio;9.000,50;x\nM2;2024;Kia;Rio;200;\nM3;2020;Kia;Rio;300;\n;1500;Kia;Rio;400;\n`;
      const { id, change_id } = await imported({ dealer, raw });
      const failed = (await rowsOf(id, "outcome=failed&cells=true")) as readonly RowWithCells[];
      expect(failed.map(({ row, cells }) => [row, cells])).toEqual([
        [1, { VIN: "M1", Year: "1500", Make: "Kia", Model: "Rio", Price: "9.000,50", Note: "x" }],
        [4, { VIN: "", Year: "1500", Make: "Kia", Model: "Rio", Price: "400", Note: "" }],
      ]);
      expect((await rowsOf(id, "outcome=failed")).every((row) => !("cells" in row))).toBe(true);

      const rows = [
        { row: 1, cells: { Year: "2021" } },
        { row: 4, cells: { Year: "2022" } },
        { row: 3, cells: {} },
        { row: 99, cells: {} },
      ];
      const before = await vehiclesOf(dealer);
      const checked = await mend(id, { rows, dry_run: true });
      expect(checked.body.results.map(({ row, outcome }) => [row, outcome])).toEqual([
        [1, "updated"],
        [4, "failed"],
        [3, "not_found"],
        [99, "not_found"],
      ]);
      expect(await vehiclesOf(dealer)).toEqual(before);
      expect(await rowsOf(id, "outcome=failed&cells=true")).toEqual(failed);

      const mended = await mend(id, { rows });
      expect(mended.body.results.map(({ row, outcome }) => [row, outcome])).toEqual([
        [1, "updated"],
        [4, "failed"],
        [3, "not_found"],
        [99, "not_found"],
      ]);
      const found = (await vehiclesOf(dealer)).find(({ vin }) => vin === "M1");
      expect(found).toMatchObject({ id: mended.body.results[0]?.vehicle_id, year: 2021, price: 9000.5 });
      const now = await fixture.api<{ counts: object }>("GET", `/api/imports/${id}`);
      expect(now.body.counts).toMatchObject({ created: 1, updated: 2, failed: 1 });
      const left = (await rowsOf(id, "outcome=failed&cells=true")) as readonly RowWithCells[];
      expect(left.map(({ row, cells, errors }) => [row, cells?.Year, errors.map(({ code }) => code)])).toEqual([
        [4, "2022", ["key_missing"]],
      ]);

      const [again] = (await mend(id, { rows: rows.slice(0, 1) })).body.results;
      expect(again).toMatchObject({ outcome: "not_found" });
      const audit = await fixture.api<readonly { resource_id: number; import_id: number | null }[]>(
        "GET",
        `/api/audit?dealer_id=${dealer}&limit=100`,
      );
      expect(audit.body.filter((entry) => entry.resource_id === found?.id && entry.import_id === id)).toHaveLength(1);
      expectReply(await fixture.api("POST", `/api/recent-changes/${change_id}/revert`), { status: 200 });
      const reverted = (await vehiclesOf(dealer)).filter(({ vin }) => vin !== "M3");
      expect(reverted.map(({ price }) => price)).toEqual([100, 100]);
    });

    test("keep each cell under a name of its own: also where a heading is there again, or is a word of the language", async () => {
      const dealer = await newDealer();
      const raw = `VIN;Year;constructor;__proto__;Price;Image;Image\nN1;1500;Kia;Rio;9;https://a.example.com/1.jpg;https://a.example.com/2.jpg\n`;
      const columns = encodeURIComponent('{"constructor":"make","__proto__":"model"}');
      const { id } = await imported({ dealer, raw, options: `columns=${columns}` });
      const [failed] = (await rowsOf(id, "outcome=failed&cells=true")) as readonly RowWithCells[];
      expect(Object.entries(failed?.cells ?? {})).toEqual([
        ["VIN", "N1"],
        ["Year", "1500"],
        ["constructor", "Kia"],
        ["__proto__", "Rio"],
        ["Price", "9"],
        ["Image", "https://a.example.com/1.jpg"],
        ["Image (2)", "https://a.example.com/2.jpg"],
      ]);
      const cells = { Year: "2020", "Image (2)": "https://a.example.com/3.jpg" };
      expectReply(await mend(id, { rows: [{ row: 1, cells }] }), {
        status: 200,
        has: { results: [{ outcome: "created" }] },
      });
      const found = await fixture.api<{ vehicles: unknown[] }>(
        "GET",
        `/api/vehicles?dealer_id=${dealer}&include=images`,
      );
      expect(found.body.vehicles).toMatchObject([
        {
          ...{ make: "Kia", model: "Rio", year: 2020 },
          images: [{ image_url: "https://a.example.com/1.jpg" }, { image_url: "https://a.example.com/3.jpg" }],
        },
      ]);
    });

    test("are refused with every fault of the request, before the import has ended, and of another dealer", async () => {
      const dealer = await newDealer();
      const raw = `${HEADING}\nR1;1500;Kia;Rio;9;x\n`;
      const { id } = await imported({ dealer, raw });
      const rows = [
        { row: 1, cells: { Yaer: "2021" } },
        { row: 1, cells: {} },
      ];
      const { body, status } = await fixture.api<{ details: readonly { path: string }[] }>(
        "POST",
        `/api/imports/${id}/mend`,
        { body: { rows } },
      );
      expect([status, body.details.map(({ path }) => path)]).toEqual([400, ["rows[0].cells", "rows[1].row"]]);
      const values = { Year: true, Price: ["9"], Note: "x".repeat(20_001), Make: null, Model: 5 };
      const cells = await fixture.api<{ details: readonly object[] }>("POST", `/api/imports/${id}/mend`, {
        body: { rows: [{ row: 1, cells: values }] },
      });
      const must = "must be a text of up to 20000 characters, a number or null, and";
      expect([cells.status, cells.body.details]).toEqual([
        400,
        [
          { path: "rows[0].cells.Year", message: `${must} is true` },
          { path: "rows[0].cells.Price", message: `${must} is a list` },
          { path: "rows[0].cells.Note", message: `${must} has 20001 characters` },
        ],
      ]);
      const wrong = Object.fromEntries(Array.from({ length: 200 }, (_, place) => [`${place}${"z".repeat(900)}`, "x"]));
      const many = await fixture.api<{ details: readonly object[]; error: string }>("POST", `/api/imports/${id}/mend`, {
        body: { rows: [{ row: 1, cells: wrong }] },
      });
      expect([many.status, many.body.details.length]).toEqual([400, 50]);
      expect(many.text.length).toBeLessThan(20_000);

      const checked = await imported({ dealer, raw, options: "dry_run=true" });
      expectReply(await mend(checked.id, { rows: [{ row: 1, cells: { Year: "2021" } }] }), {
        status: 409,
        body: { code: "import_state" },
      });
      const foreign = await mend(
        id,
        { rows: [{ row: 1, cells: { Year: "2021" } }] },
        fixture.records.keys.north.api_key,
      );
      expect([foreign.status, await vehiclesOf(dealer)]).toEqual([404, []]);
    });
  });
