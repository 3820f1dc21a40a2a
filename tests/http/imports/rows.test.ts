import { describe, expect, test } from "bun:test";
import type { ImportRow } from "../../../core/imports/import.ts";
import { expectReply } from "../../support/cases.ts";
import { ENGINES } from "../../support/engines.ts";
import { type CreatedKey, create, keyBody, SOUTH, vehicleBody } from "../../support/sample-records.ts";
import { pairs } from "../../support/service.ts";
import { HEAD, importsOn } from "./imports.ts";

/** Rows of cells as a file. */
const csv = (...lines: readonly string[]): string => `${lines.join("\n")}\n`;

for (const engine of ENGINES)
  describe(`imports on ${engine.name}`, () => {
    const { fixture, newDealer, post, rested, imported, rowsOf, vehiclesOf } = importsOn(engine);

    test("create and change vehicles, and the same file again changes nothing", async () => {
      const dealer = await newDealer();
      const { id } = await create(
        fixture.api,
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
      const { body } = await fixture.api<{ import_id: number | null; action: string }[]>(
        "GET",
        `/api/audit?dealer_id=${dealer}&limit=3`,
      );
      expect(body.map(({ action, import_id }) => [action, import_id])).toEqual([
        ["import.ended", again.id],
        ["import.ended", first.id],
        [expect.stringContaining("vehicle."), first.id],
      ]);
    });

    test("make vehicles searchable by their new words at once, and no longer by old ones", async () => {
      const dealer = await newDealer();
      const found = async (q: string): Promise<number> =>
        (await fixture.api<{ meta: { total: number } }>("GET", `/api/vehicles?q=${q}&dealer_id=${dealer}`)).body.meta
          .total;
      const rows = (...trims: readonly string[]) =>
        trims.map((trim, n) => `W${n},Honda,Civic,2020,9000,${trim}`).join("\n");
      const raw = (...trims: readonly string[]) => `VIN,Make,Model,Year,Price,Trim\n${rows(...trims)}\n`;
      await imported({ dealer, raw: raw("Zephyrine", "Quartzite") });
      expect([await found("zephyrine"), await found("quartzite"), await found("opaline")]).toEqual([1, 1, 0]);
      await imported({ dealer, raw: raw("Zephyrine", "Opaline", "Opaline") });
      expect([await found("zephyrine"), await found("quartzite"), await found("opaline")]).toEqual([1, 0, 2]);
    });

    test("process the good rows, and return the failed ones to be corrected and sent again", async () => {
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
      const { text } = await fixture.api("GET", `/api/imports/${id}/errors.csv`);
      const [head, ...lines] = text.split("\r\n");
      expect(head).toBe(`${HEAD},import_line,import_error`);
      expect(lines[2]).toStartWith('A4,,1500,Honda,"Ci,vic",9000,5,');
      const mended = await imported({ dealer, raw: text.replace("1500", "2015") });
      expect(mended.counts).toMatchObject({ created: 1, failed: 1, unchanged: 1 });
    });

    test("return failed rows in the delimiter and charset of the file, if they are asked for as received", async () => {
      const dealer = await newDealer();
      const raw = Buffer.from("VIN;Year;Make;Model;Price;Trim\nA1;1500;Kia;Rio;9000;G\xe9n\xe9ration \x80\n", "latin1");
      const { id, file } = await imported({ dealer, raw });
      expect(file).toMatchObject({ charset: "windows-1252", delimiter: ";" });
      const answer = await fetch(`${fixture.service.url}/api/imports/${id}/errors.csv?as_received=true`, {
        headers: { "x-api-key": fixture.service.superAdminKey },
      });
      expect(answer.headers.get("content-type")).toBe("text/csv; charset=windows-1252");
      const text = Buffer.from(await answer.arrayBuffer()).toString("latin1");
      expect(text).toStartWith("VIN;Year;Make;Model;Price;Trim;import_line;import_error\r\nA1;1500;Kia;");
      const mended = await imported({ dealer, raw: Buffer.from(text.replace("1500", "2015"), "latin1") });
      expect(mended.counts).toMatchObject({ created: 1, failed: 0 });
      expect((await vehiclesOf(dealer))[0]).toMatchObject({ vin: "A1", trim: "Génération €" });
    });

    test("tell once for each column and kind what rows were warned of, over all batches, with the first as an example", async () => {
      const dealer = await newDealer();
      const lines = Array.from(
        { length: 250 },
        (_, n) => `W${n},Kia,Rio,2020,9000,${n % 100 === 40 ? "many" : n},blue`,
      );
      lines[200] = "W200,Kia,Rio,2020,9000,200,blue,,";
      const raw = `Stock,Make,Model,Year,Price,Odo,Colour,In stock date\n${lines.join("\n")}\nW250,Kia,Rio,2020,9000,1,red,soon\n,Total 251,,,,,,\n`;
      for (const options of ["dry_run=true", ""]) {
        const { id, row_warnings, counts } = await imported({ dealer, raw, options });
        expect(row_warnings.map(({ path, code, count, line }) => [path, code, count, line])).toEqual([
          ["Odo", "not_a_mileage", 3, 42],
          ["In stock date", "not_a_date", 1, 252],
          ["", "no_vehicle", 1, 253],
        ]);
        const [first] = (await rowsOf(id, "limit=1000")).flatMap(({ line, warnings }) => (line === 42 ? warnings : []));
        expect(row_warnings[0]?.message).toBe(first?.message ?? "");
        expect(first?.message).toContain("many");
        expect(counts).toMatchObject({ warnings: 5, skipped: 1, failed: 0 });
      }
    });

    test("return failed rows in which no spreadsheet calculates anything, and read them as they were", async () => {
      const dealer = await newDealer();
      const cells = ['=HYPERLINK("https://example.com")', "'=1", "-5", "+1;=2", "@x", "'plain"];
      const raw = `VIN,Year,Make,Model,Price,=Trim()\n${cells.map((cell, n) => `F${n},1500,Kia,Rio,9000,"${cell.replaceAll('"', '""')}"`).join("\n")}\n`;
      const options = `columns=${encodeURIComponent('{"=Trim()": "trim"}')}`;
      const { id, counts } = await imported({ dealer, raw, options });
      expect(counts).toMatchObject({ failed: cells.length });
      const file = `/api/imports/${id}/errors.csv`;
      const plain = (await fixture.api("GET", `${file}?spreadsheet=false`)).text;
      expect(plain.split("\r\n")[0]).toBe("VIN,Year,Make,Model,Price,=Trim(),import_line,import_error");
      expect(plain).toContain("F2,1500,Kia,Rio,9000,-5,4,");
      const { text } = await fixture.api("GET", file);
      expect(text.split("\r\n")[0]).toBe("VIN,Year,Make,Model,Price,'=Trim(),import_line,import_error");
      expect(text).toContain("F2,1500,Kia,Rio,9000,'-5,4,");
      const mended = await imported({ dealer, raw: text.replaceAll(",1500,", ",2015,"), options });
      expect(mended.counts).toMatchObject({ created: cells.length, failed: 0 });
      const trims = (await vehiclesOf(dealer)).map(({ vin, trim }) => [vin, trim]);
      expect(trims.sort()).toEqual(cells.map((cell, n) => [`F${n}`, cell]));
    });

    const MATCHES = [
      ["matched by VIN without regard to case", "vin-a1,", { outcome: "updated" }],
      ["matched by stock number if it has no VIN", ",STOCK-B", { outcome: "updated" }],
      ["matched by stock number if the stored VIN is empty", "NEW1,stock-c", { outcome: "updated" }],
      ["with the VIN of one vehicle and the stock number of another", "VIN-A1,stock-b", "match_conflict"],
      ["whose VIN differs from that of the vehicle with its stock number", "OTHER1,stock-b", "match_conflict"],
      ["matched by a stock number beyond ASCII without regard to case", ",übergröße", { outcome: "updated" }],
      ["with a stock number of two vehicles", ",twice", "match_ambiguous"],
      ["with another dealer's VIN", "SOUTHERN-1,", { outcome: "created" }],
    ] as const;
    for (const [name, key, expected] of MATCHES)
      test(`report ${typeof expected === "string" ? expected : expected.outcome} for a row ${name}`, async () => {
        const dealer = await newDealer();
        const have = (fields: object) => create(fixture.api, "/api/vehicles", vehicleBody(dealer, fields));
        await have({ vin: "VIN-A1", stock_number: "stock-a" });
        await have({ vin: "VIN-B1", stock_number: "stock-b" });
        await have({ stock_number: "stock-c" });
        await have({ stock_number: "ÜBERGRÖSSE" });
        await have({ stock_number: "Twice" });
        await have({ stock_number: "tWICE" });
        const south = await create(fixture.api, "/api/vehicles", vehicleBody(SOUTH, { vin: "SOUTHERN-1" }));
        const { id } = await imported({ dealer, raw: `${HEAD}\n${key},2024,Toyota,Camry,77\n` });
        const [row] = await rowsOf(id);
        if (typeof expected === "string")
          expect(row).toMatchObject({ outcome: "failed", errors: [{ code: expected }] });
        else expect(row).toMatchObject(expected);
        expect(row?.vehicle_id).not.toBe(south.id);
        expect((await fixture.api("GET", `/api/vehicles/${south.id}`)).body).toMatchObject({ price: 25_999.99 });
      });

    test("name a row by the key that finds its vehicle", async () => {
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

    test("treat rows that differ only in case as one vehicle, which a snapshot does not count as missing", async () => {
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

    test("of a file that names dealers assign each row to its dealer", async () => {
      const [one, other] = [await newDealer(), await newDealer()];
      const lots = [one, other, 999999, "", "north"].map((dealer, at) => `${dealer},A1,,2020,Honda,Civic,${at + 1}`);
      const raw = `Dealer Id,${HEAD}\n${lots.join("\n")}\n`;
      const { id, dealer_id, counts } = await imported({ raw, options: "dealer_by=id" });
      expect([dealer_id, counts.created]).toEqual([null, 2]);
      expect((await rowsOf(id)).flatMap(({ errors }) => errors.map(({ path, code }) => [path, code]))).toEqual([
        ["Dealer Id", "dealer_unknown"],
        ["Dealer Id", "dealer_missing"],
        ["Dealer Id", "not_a_number"],
      ]);
      expect([await vehiclesOf(one), await vehiclesOf(other)]).toMatchObject([[{ price: 1 }], [{ price: 2 }]]);
      const body = keyBody({ dealer_id: one, permissions: pairs("vehicles:write") });
      const { api_key: key } = await create<CreatedKey>(fixture.api, "/api/keys", body);
      expectReply(await fixture.api("GET", `/api/imports/${id}`, { key }), { status: 404, code: "not_found" });
      const bound = await post({ key, raw });
      expectReply(bound, { status: 202, has: { dealer_id: one } });
      await rested(bound.body.id);
      expect(await vehiclesOf(other)).toMatchObject([{ price: 2 }]);
    });

    test("of a file that names dealers by their codes assign each row to its dealer; our ids are no codes", async () => {
      const [one, other] = [await newDealer(), await newDealer()];
      const code = (text: string): string => `${text}-${one}`;
      const put = (dealer: number, codes: readonly string[]) =>
        fixture.api("PUT", `/api/dealers/${dealer}`, { body: { codes } });
      expectReply(await put(one, [code("North 1"), `00${one}`]), { status: 200 });
      expectReply(await put(other, [code("South")]), { status: 200 });
      const named = [code("north  1"), code("SOUTH"), code("East"), String(one), `"=""00${one}"""`, ""];
      const raw = csv(
        `Dealer Code,${HEAD}`,
        ...named.map((dealer, at) => `${dealer},S${at},,2020,Honda,Civic,${at + 1}`),
      );
      const { id, counts } = await imported({ raw });
      expect(counts).toMatchObject({ created: 3, failed: 3 });
      expect((await rowsOf(id)).flatMap(({ errors }) => errors.map((error) => [error.path, error.code]))).toEqual([
        ["Dealer Code", "dealer_unknown"],
        ["Dealer Code", "dealer_unknown"],
        ["Dealer Code", "dealer_missing"],
      ]);
      const [, , east] = await rowsOf(id);
      expect(east?.errors[0]?.message).toStartWith(`no dealer has the code "${code("East")}"`);
      const prices = async (dealer: number) => (await vehiclesOf(dealer)).map(({ price }) => price).sort();
      expect([await prices(one), await prices(other)]).toEqual([[1, 5], [2]]);
      // Codes that move to another dealer take only what comes after with them.
      await put(one, []);
      await put(other, [code("South"), code("North 1")]);
      await imported({ raw });
      expect([await prices(one), await prices(other)]).toEqual([
        [1, 5],
        [1, 2],
      ]);
    });

    test("of a file that the service exported belong to the dealers whose ids it has", async () => {
      const dealer = await newDealer();
      await imported({ dealer, raw: csv(HEAD, ",X1,2020,Honda,Civic,9000") });
      const raw = (await fixture.api("GET", `/api/vehicles/export?dealer_id=${dealer}`)).text.replace("9000", "8000");
      expect(await imported({ raw })).toMatchObject({ dealer_id: null, counts: { updated: 1, failed: 0 } });
      expect(await vehiclesOf(dealer)).toMatchObject([{ stock_number: "X1", price: 8000 }]);
    });

    test("belong to the dealer named beside the file, even if the file has other dealer codes", async () => {
      const dealer = await newDealer();
      const raw = `Dealer ID,${HEAD}\nHARBOR-01,A1,,2020,Honda,Civic,1\n${await newDealer()},B1,,2020,Honda,Civic,2\n`;
      const named = await imported({ dealer, raw });
      expect(named).toMatchObject({ counts: { created: 2, failed: 0 } });
      expect(named.columns[0]).toEqual({ heading: "Dealer ID", field: null });
      const body = keyBody({ dealer_id: dealer, permissions: pairs("vehicles:write") });
      const { api_key: key } = await create<CreatedKey>(fixture.api, "/api/keys", body);
      const bound = await post({ key, raw });
      expectReply(bound, { status: 202, has: { dealer_id: dealer } });
      expect(await rested(bound.body.id)).toMatchObject({ counts: { unchanged: 2, failed: 0 } });
    });

    test("replace images if a row has some, add to them, or keep them", async () => {
      const dealer = await newDealer();
      const of = (...names: readonly string[]) => names.map((name) => `https://images.example.com/${name}.jpg`);
      const send = (names: readonly string[], options = "") =>
        imported({
          dealer,
          options,
          raw: `VIN,Year,Make,Model,Price,Photos\nA1,2020,Kia,Rio,5,${of(...names).join("|")}\n`,
        });
      const shown = async () => {
        const [vehicle] = await vehiclesOf(dealer);
        interface Shown {
          readonly image_url: string;
          readonly is_primary: boolean;
        }
        const { body } = await fixture.api<Shown[]>("GET", `/api/vehicles/${vehicle?.id}/images`);
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
        { outcome: "unchanged", warnings: [{ path: "Photos", code: "too_many_images" }] },
      ]);
      expect(await shown()).toEqual([of("c", "b", "d"), ...of("c")]);
    });

    test("list their rows page by page, each once, with the total of the outcome", async () => {
      const lines = [1, 2, 3, 4, 5].map((number) => `P${number},,2020,Kia,Rio,${number === 3 ? "cheap" : 9000}`);
      const { id } = await imported({ dealer: await newDealer(), raw: [HEAD, ...lines].join("\n") });
      // Rows of another import.
      await imported({ dealer: await newDealer(), raw: [HEAD, ...lines].join("\n") });
      const walked = async (outcome: string): Promise<unknown[]> => {
        const keys: unknown[] = [];
        let next: string | null = "";
        for (let page = 0; next !== null; page++) {
          expect(page).toBeLessThan(5);
          const path: string = `/api/imports/${id}/rows?limit=2&${outcome}${next === "" ? "" : `&cursor=${next}`}`;
          const { body } = await fixture.api<{
            data: ImportRow[];
            meta: { next_cursor: string | null; total: number };
          }>("GET", path);
          keys.push(...body.data.map(({ key }) => key), body.meta.total);
          next = body.meta.next_cursor;
        }
        return keys;
      };
      expect(await walked("")).toEqual(["P1", "P2", 5, "P3", "P4", 5, "P5", 5]);
      expect(await walked("outcome=created")).toEqual(["P1", "P2", 4, "P4", "P5", 4]);
    });

    test("use the columns that the caller names", async () => {
      const dealer = await newDealer();
      const columns = encodeURIComponent('{"Ours":"vin","Theirs":null}');
      const options = `columns=${columns}`;
      const made = await imported({ dealer, options, raw: "Ours,Theirs,Year,Make,Model,Price\nA1,x,2020,Kia,Rio,5\n" });
      expect(made).toMatchObject({
        counts: { created: 1 },
        columns: [{ field: "vin" }, { field: null }, {}, {}, {}, {}],
      });
    });
  });
