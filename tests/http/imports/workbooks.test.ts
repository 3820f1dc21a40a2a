import { describe, expect, test } from "bun:test";
import { gzipSync } from "bun";
import { expectReply } from "../../support/cases.ts";
import { ANSWERING } from "../../support/engines.ts";
import { NORTH } from "../../support/sample-records.ts";
import { sourcesTest } from "../../support/sources-test.ts";
import { importsIn } from "../../support/waiting-import.ts";
import { type TestCell, WORKBOOK_TYPE, workbookOf } from "../../support/workbooks.ts";
import { importsOn } from "./imports.ts";

const HEADERS = { "content-type": WORKBOOK_TYPE };
const HEAD = ["VIN", "Stock Number", "Year", "Make", "Model", "Price", "Date in stock"];
const DAY: TestCell = { xml: '<c s="1"><v>46311</v></c>' };

const lot = (rows: readonly (readonly TestCell[])[]): Uint8Array<ArrayBuffer> =>
  workbookOf({
    formats: ["dd.mm.yyyy"],
    sheets: [
      { name: "Read me", rows: [["Made for you"]] },
      { name: "Stock", rows: [["Lot"], HEAD, ...rows], hiddenRows: [4] },
      { name: "Sold", rows: [HEAD, ["S9", "S9", 2019, "Ford", "Ka", 4000]] },
    ],
  });

for (const engine of ANSWERING)
  describe(`imports of workbooks on ${engine.name}`, () => {
    const { fixture, newDealer, post, imported, rowsOf, vehiclesOf } = importsOn(engine);

    const FILE = lot([
      ["A1", "00123", 2020, "Honda", "Civic", 9000, DAY],
      ["A2", "00124", 2021, "Kia", "Rio", 25999.99, null],
      ["A3", "00125", 2021, "Kia", null, 100, null],
    ]);

    test("read texts, numbers and dates as they are, name rows by their lines, and say what was assumed", async () => {
      const dealer = await newDealer();
      const done = await imported({ dealer, raw: FILE, headers: HEADERS });
      expect(done).toMatchObject({
        state: "completed",
        counts: { created: 2, failed: 1 },
        file: {
          ...{ bytes: FILE.length, rows: 3, sheet: "Stock", charset: "utf-8", delimiter: null },
          sha256: new Bun.CryptoHasher("sha256").update(FILE).digest("hex"),
        },
      });
      expect(done.warnings.map(({ code }) => code)).toEqual(["lines_skipped", "sheet_chosen", "rows_hidden"]);
      expect((await vehiclesOf(dealer)).toReversed()).toMatchObject([
        { vin: "A1", stock_number: "00123", price: 9000, listed_at: "2026-10-16T00:00:00.000Z" },
        { vin: "A2", stock_number: "00124", price: 25999.99 },
      ]);
      expect((await rowsOf(done.id)).map(({ line, row }) => [line, row])).toEqual([
        [3, 1],
        [4, 2],
        [5, 3],
      ]);
      const errors = (await fixture.api("GET", `/api/imports/${done.id}/errors.csv`)).text;
      expect(errors.split("\r\n")[1]).toStartWith("A3,00125,2021,Kia,,100,,5,");
    });

    test("check a workbook and run it on the same rows; the same file again changes nothing", async () => {
      const dealer = await newDealer();
      const checked = await imported({ dealer, raw: FILE, headers: HEADERS, options: "dry_run=true&sheet=Sold" });
      expect(checked).toMatchObject({ state: "previewed", options: { sheet: "Sold" }, counts: { created: 1 } });
      const run = await fixture.api<{ id: number }>("POST", `/api/imports/${checked.id}/run`);
      expectReply(run, { status: 202 });
      const again = await imported({ dealer, raw: FILE, headers: HEADERS, options: "sheet=Sold" });
      expect(again).toMatchObject({ counts: { unchanged: 1, created: 0 }, warnings: [] });
      expect((await vehiclesOf(dealer)).map(({ vin }) => vin)).toEqual(["S9"]);
    });

    sourcesTest("are taken in every way in which a file comes", async () => {
      const dealer = await newDealer();
      const form = new FormData();
      form.set("file", new Blob([FILE], { type: "application/octet-stream" }), "Lot.XLSX");
      const body = new Response(form);
      const sent = { headers: { "content-type": body.headers.get("content-type") ?? "" } };
      for (const [way, sending] of [
        ["as a body", { raw: FILE, headers: HEADERS }],
        ["with the type of another file", { raw: FILE, headers: { "content-type": "text/csv" } }],
        ["packed", { raw: gzipSync(FILE), headers: { ...HEADERS, "content-encoding": "gzip" } }],
        ["in a form", { raw: new Uint8Array(await body.arrayBuffer()), ...sent }],
      ] as const) {
        const { counts, file } = await imported({ dealer, ...sending });
        expect([way, counts.created + counts.unchanged, file.sheet]).toEqual([way, 2, "Stock"]);
      }
    });

    const OLD = new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0]);
    const REFUSED = [
      ["one that is protected by a password", { raw: OLD }, 400, "import_file_unreadable"],
      ["a file that is none", { raw: "VIN\n1\n" }, 400, "import_file_unreadable"],
      ["nothing", { raw: "" }, 400, "import_file_unreadable"],
      ["one that is cut off", { raw: FILE.subarray(0, 700) }, 400, "import_file_unreadable"],
      ["one without a row", { raw: workbookOf({ sheets: [{ rows: [HEAD] }] }) }, 400, "import_file_unreadable"],
      [
        "one without a known heading",
        { raw: workbookOf({ sheets: [{ rows: [["a"], ["b"]] }] }) },
        400,
        "import_file_unreadable",
      ],
      ["one without the named sheet", { raw: FILE, options: "sheet=Old" }, 400, "invalid_input"],
      [
        "one of more than 200 columns",
        { raw: workbookOf({ sheets: [{ rows: [Array.from({ length: 201 }, (_, n) => `c${n}`), ["x"]] }] }) },
        413,
        "import_file_too_large",
      ],
      [
        "one of more than 32 MiB",
        { raw: Buffer.concat([FILE, Buffer.alloc(33 * 1024 * 1024)]) },
        413,
        "import_file_too_large",
      ],
      [
        "an archive of another kind",
        { raw: workbookOf({ sheets: [], more: [{ name: "content.xml", content: "" }] }) },
        415,
        "unsupported_media_type",
      ],
      [
        "an old one",
        { raw: OLD, headers: { "content-type": "application/vnd.ms-excel" } },
        415,
        "unsupported_media_type",
      ],
    ] as const;
    for (const [name, sending, status, code] of REFUSED)
      sourcesTest(`refuse ${name}, and leave nothing behind`, async () => {
        expectReply(await post({ dealer: NORTH, headers: HEADERS, ...sending }), { status, code });
        expect(await importsIn(fixture.service.databaseUrl, "arriving")).toBe(0);
      });

    sourcesTest("read one workbook after another, however many come at once", async () => {
      const dealers = await Promise.all(Array.from({ length: 4 }, newDealer));
      const done = await Promise.all(dealers.map((dealer) => imported({ dealer, raw: FILE, headers: HEADERS })));
      expect(done.map(({ counts }) => counts.created)).toEqual([2, 2, 2, 2]);
    });
  });
