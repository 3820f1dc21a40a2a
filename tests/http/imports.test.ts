import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { gzipSync } from "bun";
import type { Import, ImportRow } from "../../core/imports/import.ts";
import type { Vehicle } from "../../core/vehicles/vehicle.ts";
import { expectReply } from "../support/cases.ts";
import { ENGINES } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { sceneOn } from "../support/scene.ts";
import { pairs } from "../support/service.ts";
import { importsIn } from "../support/waiting-import.ts";
import { type CreatedKey, create, dealerBody, keyBody, NORTH, SOUTH, vehicleBody } from "../support/world.ts";

setDefaultTimeout(300_000);

const PATIENCE_MS = 60_000;
const CSV = { "content-type": "text/csv" };
const HEAD = "VIN,Stock Number,Year,Make,Model,Price";

interface Sending {
  readonly dealer?: number | null;
  readonly options?: string;
  readonly key?: string;
  readonly raw: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

for (const engine of ENGINES)
  describe(`imports on ${engine.name}`, () => {
    const scene = sceneOn(engine);

    const newDealer = async (): Promise<number> => (await create(scene.api, "/api/dealers", dealerBody())).id;

    const post = ({ dealer = null, options = "", key, raw, headers = CSV }: Sending) =>
      scene.api<Import>("POST", `/api/imports?${dealer === null ? "" : `dealer_id=${dealer}&`}${options}`, {
        raw,
        headers,
        ...(key !== undefined && { key }),
      });

    const rested = async (id: number): Promise<Import> =>
      (
        await eventually(
          () => scene.api<Import>("GET", `/api/imports/${id}`),
          ({ body }) => body.state !== "queued" && body.state !== "running",
          PATIENCE_MS,
        )
      ).body;

    const imported = async (sending: Sending): Promise<Import> => {
      const reply = await post(sending);
      expectReply(reply, { status: 202, has: { state: "queued" } });
      expect(reply.headers.get("location")).toBe(`/api/imports/${reply.body.id}`);
      return rested(reply.body.id);
    };

    const rowsOf = async (id: number, query = ""): Promise<readonly ImportRow[]> =>
      (await scene.api<{ data: ImportRow[] }>("GET", `/api/imports/${id}/rows?${query}`)).body.data;

    const vehiclesOf = async (dealer: number): Promise<readonly Vehicle[]> =>
      (await scene.api<{ vehicles: Vehicle[] }>("GET", `/api/vehicles?dealer_id=${dealer}`)).body.vehicles;

    test("create and change vehicles, and the same file changes nothing", async () => {
      const dealer = await newDealer();
      const { id } = await create(
        scene.api,
        "/api/vehicles",
        vehicleBody(dealer, { vin: "kept1", price: 100, trim: "Its own", stock_number: "K1" }),
      );
      const raw = `${HEAD}\nA1,S1,2020,Honda,Civic,9000\nKEPT1,K1,2024,Toyota,Camry,200\n`;
      const first = await imported({ dealer, raw });
      expect(first).toMatchObject({
        state: "completed",
        counts: { created: 1, updated: 1, unchanged: 0, failed: 0 },
        progress: { read: 2, total: 2 },
        file: { rows: 2, bytes: raw.length, sha256: new Bun.CryptoHasher("sha256").update(raw).digest("hex") },
      });
      expect(await rowsOf(first.id)).toMatchObject([
        {
          ...{ line: 2, row: 1, key: "A1", outcome: "created", errors: [] },
          changes: { vin: [null, "A1"], year: [null, 2020], make: [null, "Honda"], price: [null, 9000] },
        },
        { line: 3, row: 2, outcome: "updated", vehicle_id: id, changes: { price: [100, 200] } },
      ]);
      const before = await vehiclesOf(dealer);
      expect(before).toHaveLength(2);
      expect(before.find((one) => one.id === id)).toMatchObject({ price: 200, trim: "Its own" });
      const again = await imported({ dealer, raw });
      expect(again.counts).toMatchObject({ created: 0, updated: 0, unchanged: 2, failed: 0 });
      expect(await vehiclesOf(dealer)).toEqual(before);
      const { body } = await scene.api<{ import_id: number | null; action: string }[]>(
        "GET",
        `/api/audit?dealer_id=${dealer}&limit=3`,
      );
      expect(body.map(({ action, import_id }) => [action, import_id])).toEqual([
        ["import.ended", again.id],
        ["import.ended", first.id],
        [expect.stringContaining("vehicle."), first.id],
      ]);
    });

    test("of rows that fail do the others, and give the failed ones back to be mended and sent again", async () => {
      const dealer = await newDealer();
      const raw = `${HEAD}\nA1,,2020,Honda,Civic,9000\n,,2020,Honda,Civic,9000\nA1,,2020,Honda,Civic,9000\nA4,,1500,Honda,"Ci,vic",9000\n`;
      const { id, counts } = await imported({ dealer, raw });
      expect(counts).toMatchObject({ created: 1, failed: 3 });
      const failed = await rowsOf(id, "outcome=failed");
      expect(failed.map(({ line, errors }) => [line, errors.map(({ path, code }) => [path, code])])).toEqual([
        [3, [["", "key_missing"]]],
        [4, [["", "duplicate_in_file"]]],
        [5, [["Year", "value_invalid"]]],
      ]);
      const { text } = await scene.api("GET", `/api/imports/${id}/errors.csv`);
      const [head, ...lines] = text.split("\r\n");
      expect(head).toBe(`${HEAD},import_line,import_error`);
      expect(lines[2]).toStartWith('A4,,1500,Honda,"Ci,vic",9000,5,');
      const mended = await imported({ dealer, raw: text.replace("1500", "2015") });
      expect(mended.counts).toMatchObject({ created: 1, failed: 1, unchanged: 1 });
    });

    const MATCHES = [
      ["by VIN without regard to case", "vin-a,", { outcome: "updated" }],
      ["by stock number where the row has no VIN", ",STOCK-B", { outcome: "updated" }],
      ["by stock number where the stored VIN is empty", "NEW,stock-c", { outcome: "updated" }],
      ["with the VIN of one and the stock number of another", "VIN-A,stock-b", "match_conflict"],
      ["with another VIN than the one with its stock number", "OTHER,stock-b", "match_conflict"],
      ["by stock number beyond ASCII without regard to case", ",übergröße", { outcome: "updated" }],
      ["with a stock number that two have", ",twice", "match_ambiguous"],
      ["of another dealer's VIN", "SOUTHERN-1,", { outcome: "created" }],
    ] as const;
    for (const [name, key, expected] of MATCHES)
      test(`a row ${name} is ${typeof expected === "string" ? expected : expected.outcome}`, async () => {
        const dealer = await newDealer();
        const have = (fields: object) => create(scene.api, "/api/vehicles", vehicleBody(dealer, fields));
        await have({ vin: "VIN-A", stock_number: "stock-a" });
        await have({ vin: "VIN-B", stock_number: "stock-b" });
        await have({ stock_number: "stock-c" });
        await have({ stock_number: "ÜBERGRÖSSE" });
        await have({ stock_number: "Twice" });
        await have({ stock_number: "tWICE" });
        const south = await create(scene.api, "/api/vehicles", vehicleBody(SOUTH, { vin: "SOUTHERN-1" }));
        const { id } = await imported({ dealer, raw: `${HEAD}\n${key},2020,Honda,Civic,77\n` });
        const [row] = await rowsOf(id);
        if (typeof expected === "string")
          expect(row).toMatchObject({ outcome: "failed", errors: [{ code: expected }] });
        else expect(row).toMatchObject(expected);
        expect(row?.vehicle_id).not.toBe(south.id);
        expect((await scene.api("GET", `/api/vehicles/${south.id}`)).body).toMatchObject({ price: 25_999.99 });
      });

    test("name a row by what finds its vehicle", async () => {
      const dealer = await newDealer();
      const raw = `${HEAD}\nA1,S1,2020,Honda,Civic,9000\nA2,S1,2020,Honda,Civic,9000\n`;
      for (const [options, keys] of [
        ["dry_run=true", ["A1", "A2"]],
        ["dry_run=true&match=stock_number", ["S1", "S1"]],
      ] as const) {
        const { id } = await imported({ dealer, options, raw });
        expect((await rowsOf(id)).map(({ key }) => key)).toEqual([...keys]);
      }
    });

    test("of rows that differ in the case of any letter are of one vehicle, which a snapshot does not miss", async () => {
      const dealer = await newDealer();
      const raw = `${HEAD}\n,ÄÖ,2020,Honda,Civic,9000\n,äö,2020,Honda,Civic,9000\n`;
      const { id } = await imported({ dealer, raw });
      expect(await rowsOf(id)).toMatchObject([{ outcome: "created" }, { errors: [{ code: "duplicate_in_file" }] }]);
      await imported({ dealer, raw: `${HEAD}\n,B,2020,Honda,Civic,9000\n,C,2020,Honda,Civic,9000\n` });
      const snapshot = `${HEAD}\n,B,2020,Honda,Civic,9000\n,äÖ,1,Honda,Civic,9000\n`;
      expect(await imported({ dealer, options: "mode=snapshot", raw: snapshot })).toMatchObject({
        counts: { failed: 1, missing: 1 },
      });
      expect(Object.fromEntries((await vehiclesOf(dealer)).map((one) => [one.stock_number, one.status]))).toEqual({
        ...{ ÄÖ: "available", B: "available", C: "sold" },
      });
    });

    test("are checked without a change, and run for real on the same bytes", async () => {
      const dealer = await newDealer();
      const checked = await imported({ dealer, options: "dry_run=true", raw: `${HEAD}\nA1,,2020,Honda,Civic,9000\n` });
      expect(checked).toMatchObject({ state: "previewed", counts: { created: 1 } });
      expect(await vehiclesOf(dealer)).toEqual([]);
      expectReply(await scene.api("POST", `/api/imports/${checked.id}/run`), { status: 202 });
      expect(await rested(checked.id)).toMatchObject({ state: "completed", counts: { created: 1 } });
      expect(await vehiclesOf(dealer)).toMatchObject([{ vin: "A1" }]);
      expectReply(await scene.api("POST", `/api/imports/${checked.id}/run`), { status: 409, code: "import_state" });
    });

    test("write nothing with on_error=reject unless every row is good", async () => {
      const dealer = await newDealer();
      const options = "on_error=reject";
      const bad = await imported({ dealer, options, raw: `${HEAD}\nA1,,2020,Honda,Civic,1\nA2,,1,Honda,Civic,1\n` });
      expect(bad).toMatchObject({ state: "failed", error: { code: "rows_failed" }, counts: { created: 1, failed: 1 } });
      expect(await vehiclesOf(dealer)).toEqual([]);
      // A new vehicle's stock number belongs to it for the rows behind it, in the first pass as in the second.
      const taken = await imported({
        dealer,
        options,
        raw: `${HEAD}\nA1,S,2020,Honda,Civic,1\nA2,S,2020,Honda,Civic,1\n`,
      });
      expect(taken).toMatchObject({ state: "failed", error: { code: "rows_failed" } });
      expect(await vehiclesOf(dealer)).toEqual([]);
      const good = await imported({
        dealer,
        options,
        raw: `${HEAD}\nA1,,2020,Honda,Civic,1\nA2,,2020,Honda,Civic,1\n`,
      });
      expect(good).toMatchObject({ state: "completed", counts: { created: 2, failed: 0 } });
    });

    describe("a snapshot", () => {
      const line = (vin: string) => `${vin},,2020,Honda,Civic,9000`;
      const file = (...vins: readonly string[]) => `${HEAD}\n${vins.map(line).join("\n")}\n`;
      const statuses = async (dealer: number) =>
        Object.fromEntries((await vehiclesOf(dealer)).map(({ vin, status }) => [vin, status]));
      const dealerWith = async (...vins: readonly string[]): Promise<number> => {
        const dealer = await newDealer();
        await imported({ dealer, raw: file(...vins) });
        return dealer;
      };

      test("sells what it does not name, and what it names comes back", async () => {
        const dealer = await dealerWith("A", "B", "C");
        expect(await imported({ dealer, options: "mode=snapshot", raw: file("A", "D") })).toMatchObject({
          state: "completed",
          counts: { created: 1, unchanged: 1, missing: 2 },
        });
        expect(await statuses(dealer)).toEqual({ A: "available", B: "sold", C: "sold", D: "available" });
        const back = await imported({ dealer, options: "mode=snapshot&missing=report", raw: file("B") });
        expect(back).toMatchObject({ state: "completed", counts: { updated: 1, missing: 2 } });
        expect(await statuses(dealer)).toEqual({ A: "available", B: "available", C: "sold", D: "available" });
        expect(await rowsOf(back.id, "outcome=missing")).toMatchObject([
          { line: null, row: null, outcome: "missing", changes: {} },
          { outcome: "missing" },
        ]);
      });

      test("removes nothing without the right to", async () => {
        const dealer = await dealerWith("A", "B");
        const options = "mode=snapshot&missing=remove";
        const body = keyBody({ dealer_id: dealer, permissions: pairs("vehicles:write") });
        const { api_key: key } = await create<CreatedKey>(scene.api, "/api/keys", body);
        expectReply(await post({ options, key, raw: file("A") }), { status: 403, code: "permission_missing" });
        expect(await imported({ dealer, options, raw: file("A") })).toMatchObject({
          counts: { missing: 1, removed: 1 },
        });
        expect(await statuses(dealer)).toEqual({ A: "available" });
      });

      test("counts a failed row as there, and misses nothing where a key cannot be read", async () => {
        const dealer = await dealerWith("A", "B", "C");
        const failing = `${HEAD}\nA,,2020,Honda,Civic,9000\nB,,1,Honda,Civic,1\n`;
        expect(await imported({ dealer, options: "mode=snapshot", raw: failing })).toMatchObject({
          counts: { failed: 1, missing: 1 },
        });
        expect(await statuses(dealer)).toEqual({ A: "available", B: "available", C: "sold" });
        const unread = `${file("A")},,2020,Honda,Civic,1\n`;
        expect(await imported({ dealer, options: "mode=snapshot", raw: unread })).toMatchObject({
          state: "completed",
          counts: { failed: 1, missing: 0 },
        });
        expect(await imported({ dealer, options: "mode=snapshot", raw: `${HEAD}\n,,1,a,b,1\n` })).toMatchObject({
          state: "failed",
          error: { code: "no_good_row" },
        });
      });

      const UNREADABLE = [
        ["a VIN that a spreadsheet made a number", "1.23457E+16,,2020,Honda,Civic,1\n"],
        ["a VIN that is none", "#N/A,,2020,Honda,Civic,1\n"],
        ["cells that are not where they belong", "x,A,B,2020,Honda,Civic,1\n"],
        ["a file that was cut off", "B"],
      ] as const;
      for (const [name, row] of UNREADABLE)
        test(`misses nothing behind ${name}`, async () => {
          const dealer = await dealerWith("A", "B-long");
          expect(await imported({ dealer, options: "mode=snapshot", raw: `${file("A")}${row}` })).toMatchObject({
            state: "completed",
            counts: { failed: 1, missing: 0 },
          });
          expect(await statuses(dealer)).toEqual({ A: "available", "B-long": "available" });
        });

      test("takes a row with a bad VIN for the vehicle of its stock number", async () => {
        const dealer = await newDealer();
        await imported({
          dealer,
          raw: `${HEAD}\nA,S1,2020,Honda,Civic,1\nB,S2,2020,Honda,Civic,1\nC,S3,2020,Honda,Civic,1\n`,
        });
        const raw = `${HEAD}\nA,S1,2020,Honda,Civic,1\n#N/A,S2,2020,Honda,Civic,1\n`;
        expect(await imported({ dealer, options: "mode=snapshot", raw })).toMatchObject({ counts: { missing: 1 } });
        expect(await statuses(dealer)).toEqual({ A: "available", B: "available", C: "sold" });
      });

      test("waits for a confirmation of how many are missing", async () => {
        const dealer = await dealerWith("A", "B", "C", "D", "E");
        const waiting = await imported({ dealer, options: "mode=snapshot", raw: file("A") });
        expect(waiting).toMatchObject({ state: "needs_confirmation", counts: { unchanged: 1, missing: 4 } });
        const confirm = (missing: number, key?: string) =>
          scene.api("POST", `/api/imports/${waiting.id}/confirm`, { body: { missing }, ...(key && { key }) });
        expectReply(await confirm(3), { status: 409, code: "confirmation_stale" });
        expectReply(await confirm(4, scene.world.keys.north.api_key), { status: 404, code: "not_found" });
        expectReply(await confirm(4, scene.world.keys.powerless.api_key), { status: 403 });
        await create(scene.api, "/api/vehicles", vehicleBody(dealer, { vin: "F" }));
        expectReply(await confirm(4), { status: 409, code: "confirmation_stale" });
        expectReply(await confirm(5), { status: 202 });
        expect(await rested(waiting.id)).toMatchObject({ state: "completed", counts: { missing: 5 } });
        expect(Object.values(await statuses(dealer)).filter((status) => status === "sold")).toHaveLength(5);
        expectReply(await confirm(5), { status: 409, code: "import_state" });
      });

      test("is of one dealer", async () => {
        expectReply(await post({ options: "mode=snapshot", raw: `dealer_id,${file("A")}` }), {
          status: 400,
          code: "invalid_input",
        });
      });
    });

    test("of a file that names the dealers, each row is of its own", async () => {
      const [one, other] = [await newDealer(), await newDealer()];
      const raw = `dealer_id,${HEAD}\n${one},A,,2020,Honda,Civic,1\n${other},A,,2020,Honda,Civic,2\n999999,A,,2020,Honda,Civic,3\n,A,,2020,Honda,Civic,3\n`;
      const { id, dealer_id, counts } = await imported({ raw });
      expect([dealer_id, counts.created]).toEqual([null, 2]);
      expect((await rowsOf(id)).flatMap(({ errors }) => errors.map(({ code }) => code))).toEqual([
        "dealer_unknown",
        "dealer_missing",
      ]);
      expect([await vehiclesOf(one), await vehiclesOf(other)]).toMatchObject([[{ price: 1 }], [{ price: 2 }]]);
      const body = keyBody({ dealer_id: one, permissions: pairs("vehicles:write") });
      const { api_key: key } = await create<CreatedKey>(scene.api, "/api/keys", body);
      expectReply(await scene.api("GET", `/api/imports/${id}`, { key }), { status: 404, code: "not_found" });
      const bound = await post({ key, raw });
      expectReply(bound, { status: 202, has: { dealer_id: one } });
      await rested(bound.body.id);
      expect(await vehiclesOf(other)).toMatchObject([{ price: 2 }]);
    });

    const REFUSED = [
      ["an empty file", { raw: "" }, 400, "import_file_unreadable"],
      ["a file without a row", { raw: `${HEAD}\n` }, 400, "import_file_unreadable"],
      ["a file without a known heading", { raw: "Foo,Bar\n1,2\n" }, 400, "import_file_unreadable"],
      ["a row of more than 256 KiB", { raw: `VIN\n${"1".repeat(300_000)}\n` }, 413, "import_file_too_large"],
      ["more than 200 columns", { raw: `${"a,".repeat(201)}VIN\n1\n` }, 413, "import_file_too_large"],
      [
        "what is no gzip behind its first bytes",
        { raw: new Uint8Array([31, 139, 8, 0, 1, 2]) },
        400,
        "import_file_unreadable",
      ],
      [
        "what is announced as gzip and is none",
        { raw: `${HEAD}\nA,B,2020,Kia,Rio,5\n`, headers: { ...CSV, "content-encoding": "gzip" } },
        400,
        "import_file_unreadable",
      ],
      ["a workbook", { raw: new Uint8Array([80, 75, 3, 4, 20, 0, 6, 0, 8]) }, 415, "unsupported_media_type"],
      [
        "the type of a workbook",
        { raw: "x", headers: { "content-type": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" } },
        415,
        "unsupported_media_type",
      ],
      [
        "another encoding",
        { raw: `${HEAD}\n`, headers: { ...CSV, "content-encoding": "br" } },
        415,
        "unsupported_media_type",
      ],
      [
        "an unknown charset",
        { raw: "VIN\n1\n", headers: { "content-type": "text/csv; charset=koi8-r" } },
        415,
        "unsupported_media_type",
      ],
      [
        "a type that is a word of JavaScript",
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
      ["columns that are no fields", { raw: "VIN\n1\n", options: 'columns={"VIN":"nothing"}' }, 400, "invalid_input"],
      ["a dealer that does not exist", { raw: "VIN\n1\n", dealer: 9_999_999 }, 400, "invalid_input"],
      ["no dealer at all", { raw: "VIN\n1\n", dealer: null }, 400, "invalid_input"],
      ["an unknown mode", { raw: "VIN\n1\n", options: "mode=replace" }, 400, "invalid_input"],
    ] as const;
    for (const [name, sending, status, code] of REFUSED)
      test(`of ${name} are refused, and nothing of them is left`, async () => {
        const before = await scene.api("GET", "/api/imports");
        expectReply(await post({ dealer: NORTH, ...sending }), { status, code });
        expect((await scene.api("GET", "/api/imports")).body).toEqual(before.body);
        expect(await importsIn(scene.service.databaseUrl, "arriving")).toBe(0);
      });

    test("for a dealer that does not exist are refused before the file is read", async () => {
      // The file is one that would be refused itself.
      const sending = { dealer: 9_999_999, raw: `VIN\n${"1".repeat(300_000)}\n` };
      expectReply(await post(sending), { status: 400, code: "invalid_input" });
    });

    test("of a packed file are those of what is in it", async () => {
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
      // Read first: the runtime forgets it with the body.
      const headers = { "content-type": body.headers.get("content-type") ?? "" };
      return { headers, raw: new Uint8Array(await body.arrayBuffer()) };
    };

    test("of a form are those of the file in it, by its own name, type and packing", async () => {
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

    test("are read in the charset that their type names", async () => {
      const dealer = await newDealer();
      // By its bytes alone it would be UTF-8.
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
      ["a workbook in a form", { content: "x", name: "cars.xlsx", type: "" }, 415, "unsupported_media_type"],
      [
        "a file of no known kind in a form",
        { content: "x", name: "cars.doc", type: "application/msword" },
        415,
        "unsupported_media_type",
      ],
      [
        "a file that is called packed and is not",
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
      test(`of ${name} are refused, and nothing of them is left`, async () => {
        expectReply(await post({ dealer: NORTH, ...(await formOf(part)) }), { status, code });
        expect(await importsIn(scene.service.databaseUrl, "arriving")).toBe(0);
      });

    test("of a large form are refused at once where its dealer does not exist", async () => {
      const form = await formOf({ content: `${HEAD}\n${"A1,,2020,Honda,Civic,9000\n".repeat(400_000)}` });
      expectReply(await post({ dealer: 9_999_999, ...form }), { status: 400, code: "invalid_input" });
    });

    test("replace images where a row has some, add to them, or keep them", async () => {
      const dealer = await newDealer();
      const of = (...names: readonly string[]) => names.map((name) => `https://images.example.com/${name}.jpg`);
      const send = (names: readonly string[], options = "") =>
        imported({
          dealer,
          options,
          raw: `VIN,Year,Make,Model,Price,Photos\nA,2020,Kia,Rio,5,${of(...names).join("|")}\n`,
        });
      const shown = async () => {
        const [vehicle] = await vehiclesOf(dealer);
        interface Shown {
          readonly image_url: string;
          readonly is_primary: boolean;
        }
        const { body } = await scene.api<Shown[]>("GET", `/api/vehicles/${vehicle?.id}/images`);
        return [body.map(({ image_url }) => image_url), body.find((one) => one.is_primary)?.image_url];
      };
      expect((await send(["a", "b"])).counts).toMatchObject({ created: 1 });
      expect(await shown()).toEqual([of("a", "b"), ...of("a")]);
      expect((await send(["a", "b"])).counts).toMatchObject({ unchanged: 1 });
      expect((await send([])).counts).toMatchObject({ unchanged: 1 });
      const changed = await send(["c", "b"]);
      expect(await rowsOf(changed.id)).toMatchObject([
        { outcome: "updated", changes: { images: [of("a", "b"), of("c", "b")] } },
      ]);
      expect(await shown()).toEqual([of("c", "b"), ...of("c")]);
      await send(["d", "b"], "images=append");
      expect(await shown()).toEqual([of("c", "b", "d"), ...of("c")]);
      expect((await send(["e"], "images=keep")).counts).toMatchObject({ unchanged: 1 });
      const many = Array.from({ length: 101 }, (_, n) => `n${n}`);
      expect(await rowsOf((await send(many)).id)).toMatchObject([
        { errors: [{ path: "Photos", code: "too_many_images" }] },
      ]);
      expect(await shown()).toEqual([of("c", "b", "d"), ...of("c")]);
    });

    test("take what the caller calls its columns", async () => {
      const dealer = await newDealer();
      const columns = encodeURIComponent('{"Ours":"vin","Theirs":null}');
      const options = `columns=${columns}`;
      const made = await imported({ dealer, options, raw: "Ours,Theirs,Year,Make,Model,Price\nA1,x,2020,Kia,Rio,5\n" });
      expect(made).toMatchObject({
        counts: { created: 1 },
        columns: [{ field: "vin" }, { field: null }, {}, {}, {}, {}],
      });
    });

    test("stop when somebody asks, keep what is done, and go on behind it", async () => {
      const dealer = await newDealer();
      const lines = Array.from({ length: 3000 }, (_, n) => `V${n},,2020,Honda,Civic,${n + 1}`);
      const { body } = await post({ dealer, raw: `${HEAD}\n${lines.join("\n")}\n` });
      const read = () => scene.api<Import>("GET", `/api/imports/${body.id}`);
      const running = await eventually(read, (reply) => reply.body.progress.read > 0, PATIENCE_MS);
      if (running.body.state === "running") expect(running.headers.get("retry-after")).toBe("2");
      expectReply(await scene.api("POST", `/api/imports/${body.id}/cancel`), { status: 200 });
      const stopped = await rested(body.id);
      expect(stopped.state).toBe("cancelled");
      const total = async () =>
        (await scene.api("GET", `/api/vehicles?dealer_id=${dealer}&limit=1`)).headers.get("x-total-count");
      expect(await total()).toBe(String(stopped.progress.read));
      expect(stopped.progress.read).toBeLessThan(3000);
      expectReply(await scene.api("POST", `/api/imports/${body.id}/run`), { status: 202 });
      expect(await rested(body.id)).toMatchObject({ state: "completed", counts: { created: 3000, failed: 0 } });
      expect(await total()).toBe("3000");
    });

    test("fail when whoever asked for them may do so no more", async () => {
      const dealer = await newDealer();
      const body = keyBody({ dealer_id: dealer, permissions: pairs("vehicles:write") });
      const made = await create<CreatedKey>(scene.api, "/api/keys", body);
      const lines = Array.from({ length: 3000 }, (_, n) => `V${n},,2020,Honda,Civic,${n + 1}`);
      const sent = await post({ key: made.api_key, raw: `${HEAD}\n${lines.join("\n")}\n` });
      const read = () => scene.api<Import>("GET", `/api/imports/${sent.body.id}`);
      await eventually(read, (reply) => reply.body.progress.read > 0, PATIENCE_MS);
      await scene.api("POST", `/api/keys/${made.id}/revoke`);
      const failed = await rested(sent.body.id);
      expect(failed).toMatchObject({ state: "failed", error: { code: "rights_lost" } });
      expect(failed.counts.created).toBeLessThan(3000);
    });

    test("that ended are taken away with their rows, and no vehicle with them", async () => {
      const dealer = await newDealer();
      const { id } = await imported({ dealer, raw: `${HEAD}\nA1,,2020,Honda,Civic,9000\n` });
      expectReply(await scene.api("DELETE", `/api/imports/${id}`), { status: 200 });
      for (const path of [`/api/imports/${id}`, `/api/imports/${id}/rows`, `/api/imports/${id}/errors.csv`])
        expectReply(await scene.api("GET", path), { status: 404 });
      expect(await vehiclesOf(dealer)).toHaveLength(1);
    });

    test("are listed by page, newest first, and filtered", async () => {
      const dealer = await newDealer();
      const ids: number[] = [];
      for (const vin of ["A", "B", "C"])
        ids.unshift((await imported({ dealer, raw: `${HEAD}\n${vin},,2020,Honda,Civic,1\n` })).id);
      interface Page {
        readonly data: readonly Import[];
        readonly meta: { readonly next_cursor: string | null; readonly total: number };
      }
      const page = async (query: string) =>
        (await scene.api<Page>("GET", `/api/imports?dealer_id=${dealer}&${query}`)).body;
      const first = await page("limit=2");
      expect([first.data.map(({ id }) => id), first.meta.total]).toEqual([ids.slice(0, 2), 3]);
      const second = await page(`limit=2&cursor=${first.meta.next_cursor}`);
      expect([second.data.map(({ id }) => id), second.meta.next_cursor]).toEqual([ids.slice(2), null]);
      expect((await page("state=failed")).data).toEqual([]);
    });
  });
