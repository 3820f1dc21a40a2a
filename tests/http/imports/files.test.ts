import { describe, expect, test } from "bun:test";
import { gzipSync } from "bun";
import { expectReply } from "../../support/cases.ts";
import { ANSWERING } from "../../support/engines.ts";
import { NORTH } from "../../support/sample-records.ts";
import { importsIn } from "../../support/waiting-import.ts";
import { CSV, HEAD, importsOn } from "./imports.ts";

for (const engine of ANSWERING)
  describe(`imports on ${engine.name}`, () => {
    const { fixture, newDealer, post, imported, vehiclesOf } = importsOn(engine);

    const REFUSED = [
      ["an empty file", { raw: "" }, 400, "import_file_unreadable"],
      ["a file without a row", { raw: `${HEAD}\n` }, 400, "import_file_unreadable"],
      ["a file without a known heading", { raw: "Foo,Bar\n1,2\n" }, 400, "import_file_unreadable"],
      ["a row of more than 256 KiB", { raw: `VIN\n${"1".repeat(300_000)}\n` }, 413, "import_file_too_large"],
      [
        "a heading of more than 200 characters",
        { raw: `VIN,Price${" ".repeat(200)}\n1,2\n` },
        413,
        "import_file_too_large",
      ],
      ["a file with more than 200 columns", { raw: `${"a,".repeat(201)}VIN\n1\n` }, 413, "import_file_too_large"],
      [
        "a file that only begins like gzip",
        { raw: new Uint8Array([31, 139, 8, 0, 1, 2]) },
        400,
        "import_file_unreadable",
      ],
      [
        "a file announced as gzip that is none",
        { raw: `${HEAD}\nA,B,2020,Kia,Rio,5\n`, headers: { ...CSV, "content-encoding": "gzip" } },
        400,
        "import_file_unreadable",
      ],
      [
        "an archive that is no workbook",
        { raw: new Uint8Array([80, 75, 3, 4, 20, 0, 6, 0, 8]) },
        400,
        "import_file_unreadable",
      ],
      [
        "a workbook of an old format",
        { raw: new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]) },
        415,
        "unsupported_media_type",
      ],
      [
        "a file with the type of an OpenDocument spreadsheet",
        { raw: "x", headers: { "content-type": "application/vnd.oasis.opendocument.spreadsheet" } },
        415,
        "unsupported_media_type",
      ],
      [
        "a file in another encoding",
        { raw: `${HEAD}\n`, headers: { ...CSV, "content-encoding": "br" } },
        415,
        "unsupported_media_type",
      ],
      [
        "a file in an unknown charset",
        { raw: "VIN\n1\n", headers: { "content-type": "text/csv; charset=koi8-r" } },
        415,
        "unsupported_media_type",
      ],
      [
        "a file whose type is the name of an inherited property",
        { raw: "x", headers: { "content-type": "constructor" } },
        415,
        "unsupported_media_type",
      ],
      [
        "a form without a boundary",
        { raw: "x", headers: { "content-type": "multipart/form-data" } },
        400,
        "import_file_unreadable",
      ],
      [
        "a file with columns for unknown fields",
        { raw: "VIN\n1\n", options: 'columns={"VIN":"nothing"}' },
        400,
        "invalid_input",
      ],
      ["a file for a missing dealer", { raw: "VIN\n1\n", dealer: 9_999_999 }, 400, "invalid_input"],
      ["a file without a dealer", { raw: "VIN\n1\n", dealer: null }, 400, "invalid_input"],
      ["a file with an unknown mode", { raw: "VIN\n1\n", options: "mode=replace" }, 400, "invalid_input"],
    ] as const;
    for (const [name, sending, status, code] of REFUSED)
      test(`of ${name} are refused, and leave nothing behind`, async () => {
        const before = await fixture.api("GET", "/api/imports");
        expectReply(await post({ dealer: NORTH, ...sending }), { status, code });
        expect((await fixture.api("GET", "/api/imports")).body).toEqual(before.body);
        expect(await importsIn(fixture.service.databaseUrl, "arriving")).toBe(0);
      });

    test("for a missing dealer are refused before the file is read", async () => {
      // The file itself would be refused too.
      const sending = { dealer: 9_999_999, raw: `VIN\n${"1".repeat(300_000)}\n` };
      expectReply(await post(sending), { status: 400, code: "invalid_input" });
    });

    test("use the charset that the caller names, by any of its names", async () => {
      const dealer = await newDealer();
      const line = `${HEAD}\nA1,,2020,\u0160koda,Fabia,9000\n`;
      for (const [name, charset, raw] of [
        ["UTF-8", "utf-8", line],
        ["UTF-16", "utf-16le", Buffer.from(line, "utf16le")],
        ["ISO-8859-15", "iso-8859-15", Buffer.from(line.replace("\u0160", "\xa6"), "latin1")],
        ["CP1252", "windows-1252", Buffer.from(line.replace("\u0160", "\x8a"), "latin1")],
      ] as const) {
        expect(await imported({ dealer, raw, options: `charset=${name}` })).toMatchObject({ file: { charset } });
        expect(await vehiclesOf(dealer)).toMatchObject([{ make: "\u0160koda" }]);
      }
      const reply = await post({ dealer, raw: line, options: "charset=koi8-r" });
      expectReply(reply, { status: 400, code: "invalid_input", faults: ["charset"] });
    });

    test("of a compressed file read its content", async () => {
      const dealer = await newDealer();
      const raw = gzipSync(`${HEAD}\nA1,,2020,Honda,Civic,9000\n`);
      const packed = await imported({ dealer, raw, headers: { ...CSV, "content-encoding": "gzip" } });
      expect(packed).toMatchObject({ counts: { created: 1 }, file: { bytes: raw.length } });
      expect(await imported({ dealer, raw })).toMatchObject({ counts: { unchanged: 1 } });
    });

    interface Part {
      readonly content: string | Uint8Array;
      readonly name?: string;
      readonly type?: string;
      readonly fields?: Readonly<Record<string, string>>;
    }
    const formOf = async ({ content, name = "cars.csv", type = "text/csv", fields = {} }: Part) => {
      const form = new FormData();
      form.set("file", new Blob([content], { type }), name);
      for (const [field, value] of Object.entries(fields)) form.set(field, value);
      const body = new Response(form);
      // Read first, since the runtime drops it with the body.
      const headers = { "content-type": body.headers.get("content-type") ?? "" };
      return { headers, raw: new Uint8Array(await body.arrayBuffer()) };
    };

    test("of a form read the file in it by its own name, type and compression", async () => {
      const dealer = await newDealer();
      const content = `${HEAD}\nA1,,2020,Honda,Citroën,9000\n`;
      const made = await imported({ dealer, ...(await formOf({ content })) });
      expect(made).toMatchObject({
        counts: { created: 1 },
        file: {
          name: "cars.csv",
          bytes: Buffer.byteLength(content),
          sha256: new Bun.CryptoHasher("sha256").update(content).digest("hex"),
        },
      });
      const line = JSON.stringify({ vin: "A1", year: 2020, make: "Honda", model: "Citroën", price: 9000 });
      for (const part of [
        { content: gzipSync(content), name: "cars.csv.gz", type: "application/gzip" },
        { content: `${line}\n`, name: "cars.ndjson", type: "application/octet-stream" },
        { content: content.replaceAll(",", "\t"), name: "CARS.TXT", type: "text/plain" },
        { content, name: "cars.csv", type: "application/vnd.ms-excel" },
        { content: Buffer.from(content, "latin1"), type: "text/csv; charset=windows-1252" },
      ]) {
        const again = await imported({ dealer, ...(await formOf(part)) });
        expect([part.name, again.counts.unchanged, again.counts.failed]).toEqual([part.name, 1, 0]);
      }
    });

    test("use the charset that their media type names", async () => {
      const dealer = await newDealer();
      // Without the name of a charset it would be read as UTF-8.
      const raw = Buffer.from(`${HEAD}\nA1,,2020,Honda,Citroën,9000\n`);
      const headers = { "content-type": 'text/csv; charset="ISO-8859-1"' };
      expect(await imported({ dealer, raw, headers })).toMatchObject({ file: { charset: "windows-1252" } });
      expect(await vehiclesOf(dealer)).toMatchObject([{ model: "CitroÃ«n" }]);
      expect(await imported({ dealer, raw, headers, options: "charset=utf-8" })).toMatchObject({
        file: { charset: "utf-8" },
      });
      expect(await vehiclesOf(dealer)).toMatchObject([{ model: "Citroën" }]);
    });

    const FORMS = [
      [
        "a form with an option in it",
        { content: "VIN\n1\n", fields: { mode: "create" } },
        400,
        "import_file_unreadable",
      ],
      [
        "a workbook of an old format in a form",
        { content: "x", name: "cars.xls", type: "" },
        415,
        "unsupported_media_type",
      ],
      [
        "a file of an unknown type in a form",
        { content: "x", name: "cars.doc", type: "application/msword" },
        415,
        "unsupported_media_type",
      ],
      [
        "a file named as compressed that is not",
        { content: "VIN\n1\n", name: "cars.csv.gz" },
        400,
        "import_file_unreadable",
      ],
      [
        "a row of more than 256 KiB in a form",
        { content: `VIN\n${"1".repeat(300_000)}\n` },
        413,
        "import_file_too_large",
      ],
    ] as const;
    for (const [name, part, status, code] of FORMS)
      test(`of ${name} are refused, and leave nothing behind`, async () => {
        expectReply(await post({ dealer: NORTH, ...(await formOf(part)) }), { status, code });
        expect(await importsIn(fixture.service.databaseUrl, "arriving")).toBe(0);
      });

    test("of a large form are refused at once if the dealer is missing", async () => {
      const form = await formOf({ content: `${HEAD}\n${"A1,,2020,Honda,Civic,9000\n".repeat(400_000)}` });
      expectReply(await post({ dealer: 9_999_999, ...form }), { status: 400, code: "invalid_input" });
    });
  });
