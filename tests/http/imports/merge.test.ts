import { describe, expect, test } from "bun:test";
import type { Image } from "../../../core/images/image.ts";
import { MOST_COMPARED } from "../../../core/imports/correction-repository.ts";
import type { Correction } from "../../../core/imports/corrections.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { expectReply } from "../../support/cases.ts";
import { DEEP, inGate } from "../../support/depth.ts";
import { connect, ENGINES } from "../../support/engines.ts";
import { jpegPhoto } from "../../support/photos.ts";
import { create } from "../../support/sample-records.ts";
import { importsOn } from "./imports.ts";

/** A generator of whole numbers below a limit, the same in each run. */
const numbers = (seed: number): ((below: number) => number) => {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

for (const engine of ENGINES)
  describe(`a file after people's corrections on ${engine.name}`, () => {
    const { fixture, newDealer, imported, rowsOf, vehiclesOf } = importsOn(engine);
    const HEADING = "VIN,Stock Number,Year,Make,Model,Price,Description,Status,Photos";
    const line = ({ vin = "V1", price = 100, description = "File", status = "", photos = "" } = {}) =>
      `${vin},S-${vin},2020,Honda,Civic,${price},${description},${status},${photos}\n`;
    const file = (...lines: readonly string[]) => `${HEADING}\n${lines.join("")}`;
    const only = async (dealer: number): Promise<Vehicle> => {
      const [vehicle, ...others] = await vehiclesOf(dealer);
      if (vehicle === undefined || others.length > 0) throw new Error("the dealer does not have one vehicle");
      return vehicle;
    };
    const put = async (id: number, body: object) =>
      expectReply(await fixture.api("PUT", `/api/vehicles/${id}`, { body }), { status: 200 });

    test("keeps them and tells them, takes what only the file changed, and the same file again writes nothing", async () => {
      const dealer = await newDealer();
      expect(await imported({ dealer, raw: file(line()) })).toMatchObject({ counts: { created: 1, kept: 0 } });
      const { id } = await only(dealer);
      await put(id, { price: 95, description: "Written by hand" });
      const before = await only(dealer);
      const same = await imported({ dealer, raw: file(line()) });
      expect(same).toMatchObject({ counts: { unchanged: 1, kept: 1 } });
      expect(await only(dealer)).toEqual(before);
      const told = [
        { field: "price", file: 100, ours: 95 },
        { field: "description", file: "File", ours: "Written by hand" },
      ];
      for (const query of ["kept=true", "outcome=kept", "outcome=unchanged"])
        expect(await rowsOf(same.id, query)).toMatchObject([{ outcome: "unchanged", kept: told }]);
      expect(await rowsOf(same.id, "outcome=updated&kept=true")).toEqual([]);
      // Both changed: the price is the file's, the description the hand's.
      const both = await imported({ dealer, raw: file(line({ price: 90, description: "Other" })) });
      expect(await rowsOf(both.id, "kept=true")).toMatchObject([
        { outcome: "updated", changes: { price: [95, 90] }, kept: [{ field: "description", file: "Other" }] },
      ]);
      expect(await only(dealer)).toMatchObject({ price: 90, description: "Written by hand" });
      const off = await imported({
        dealer,
        options: "merge=off",
        raw: file(line({ price: 90, description: "Other" })),
      });
      expect(off).toMatchObject({ counts: { updated: 1, kept: 0 }, options: { merge: "off" } });
      expect((await only(dealer)).description).toBe("Other");
    });

    test("has owners of its fields by the settings", async () => {
      const dealer = await newDealer();
      const owners = { price: "hand", description: "file" };
      await imported({ dealer, raw: file(line()) });
      await put((await only(dealer)).id, { price: 95, description: "Hand" });
      expectReply(await fixture.api("PUT", "/api/settings", { body: { field_owners: owners } }), { status: 200 });
      await imported({ dealer, raw: file(line({ price: 90, description: "Other" })) });
      expect(await only(dealer)).toMatchObject({ price: 95, description: "Other" });
      expectReply(await fixture.api("PUT", "/api/settings", { body: { field_owners: {} } }), { status: 200 });
    });

    test("is compared with the last file of the same mapping only", async () => {
      const dealer = await newDealer();
      const mapping = { name: "Pricing tool", dealer_id: dealer, columns: { Ours: "price" } };
      const { id } = await create(fixture.api, "/api/import-mappings", mapping);
      await imported({ dealer, raw: file(line()) });
      const prices = (price: number) => `VIN,Year,Make,Model,Ours\nV1,2020,Honda,Civic,${price}\n`;
      // The first file of this mapping has nothing to be compared with.
      await imported({ dealer, options: `mapping=${id}`, raw: prices(80) });
      expect((await only(dealer)).price).toBe(80);
      await imported({ dealer, raw: file(line()) });
      expect((await only(dealer)).price).toBe(80);
      await imported({ dealer, options: `mapping=${id}`, raw: prices(70) });
      expect((await only(dealer)).price).toBe(70);
      await imported({ dealer, raw: file(line({ price: 110 })) });
      expect((await only(dealer)).price).toBe(110);
    });

    test("keeps a sale by hand, and brings back a vehicle that a file of the inventory left out and names again", async () => {
      const dealer = await newDealer();
      const night = (...lines: readonly string[]) =>
        imported({ dealer, options: "mode=snapshot", raw: file(...lines) });
      const status = async () => Object.fromEntries((await vehiclesOf(dealer)).map(({ vin, status: is }) => [vin, is]));
      const [one, two] = [line({ status: "Live" }), line({ vin: "V2", status: "Live" })];
      await night(one, two);
      const [sold] = (await vehiclesOf(dealer)).filter(({ vin }) => vin === "V1");
      await put(sold?.id ?? 0, { status: "sold" });
      await night(one, two);
      expect(await status()).toEqual({ V1: "sold", V2: "available" });
      // Now the file knows of the sale, and V2 is gone.
      await night(line({ vin: "V3", status: "Live" }));
      expect(await status()).toEqual({ V1: "sold", V2: "sold", V3: "available" });
      await night(one, two);
      expect(await status()).toEqual({ V1: "available", V2: "available", V3: "sold" });
    });

    test("finds a vehicle whose VIN somebody corrected by the VIN that it had, and does not undo removed photos", async () => {
      const dealer = await newDealer();
      const photos = "https://img.example.com/1.jpg https://img.example.com/2.jpg";
      await imported({ dealer, raw: file(line({ photos })) });
      const { id } = await only(dealer);
      await put(id, { vin: "1HGBH41JXMN109186", images: ["https://img.example.com/2.jpg"] });
      const again = await imported({ dealer, raw: file(line({ price: 90, photos })) });
      expect(await rowsOf(again.id)).toMatchObject([
        { outcome: "updated", errors: [], kept: [{ field: "vin", file: "V1" }, { field: "images" }] },
      ]);
      expect(await only(dealer)).toMatchObject({ id, vin: "1HGBH41JXMN109186", price: 90 });
    });

    const KEYS = [
      ["stock number", "Stock Number", "stock_number", "K-1", "K-1A"],
      ["VIN", "VIN", "vin", "1HGBH41JXMN1O9186", "2HGBH41JXMN109187"],
    ] as const;
    for (const [name, heading, field, said, right] of KEYS)
      test(`finds a vehicle by the ${name} that it had in the last file, if the file has no other key and somebody corrected it`, async () => {
        const dealer = await newDealer();
        const raw = (price: number) => `${heading},Year,Make,Model,Price\n${said},2020,Honda,Civic,${price}\n`;
        const options = "mode=snapshot";
        await imported({ dealer, options, raw: raw(100) });
        const { id } = await only(dealer);
        await put(id, { [field]: right });
        for (const dry of ["&dry_run=true", "", "&merge=off&dry_run=true"]) {
          const { id: import_id, counts } = await imported({ dealer, options: options + dry, raw: raw(90) });
          expect(counts).toMatchObject({ created: 0, updated: 1, failed: 0, missing: 0 });
          const kept = dry.includes("off") ? [] : [{ field, file: said, ours: right }];
          expect(await rowsOf(import_id)).toMatchObject([{ vehicle_id: id, kept }]);
        }
        expect(await only(dealer)).toMatchObject({ id, [field]: right, price: 90 });
        // The vehicle of a failed row is not missing, either.
        const bad = raw(90).replace("2020", "long ago");
        const failed = await imported({ dealer, options, raw: `${bad}AB12345,2021,Kia,Rio,80\n` });
        expect(failed.counts).toMatchObject({ created: 1, failed: 1, missing: 0 });
      });

    test("means the vehicle that the last file called so, if people exchanged the stock numbers of two", async () => {
      const dealer = await newDealer();
      const raw = (head: string, ...keys: readonly string[]) =>
        `${head},Year,Make,Model,Price\n${keys.map((key, n) => `${key},2020,Honda,Civic,${100 + n}\n`).join("")}`;
      for (const [head, keys] of [
        ["Stock Number", ["X-1", "X-2"]],
        ["Stock Number,VIN", ["Y-1,V1", "Y-2,V2"]],
      ] as const) {
        const dealer = await newDealer();
        await imported({ dealer, raw: raw(head, ...keys) });
        const prices = async () =>
          (await vehiclesOf(dealer)).map(({ price, stock_number }) => [price, stock_number?.slice(1)]).sort();
        const [one, two] = [...(await vehiclesOf(dealer))].sort((a, b) => a.price - b.price);
        await put(one?.id ?? 0, { stock_number: "between" });
        await put(two?.id ?? 0, { stock_number: one?.stock_number });
        await put(one?.id ?? 0, { stock_number: two?.stock_number });
        const again = await imported({ dealer, raw: raw(head, ...keys) });
        expect(again.counts).toMatchObject({ unchanged: 2, failed: 0, created: 0, kept: 2 });
        expect(await prices()).toEqual([
          [100, "-2"],
          [101, "-1"],
        ]);
      }
      // A number of which the file now says that it is quite another car is a new one's.
      const other = await newDealer();
      const stock = (car: string) => imported({ dealer: other, raw: `Stock,Year,Make,Model,Price\nW-1,${car},100\n` });
      await stock("2020,Honda,Civic");
      await put((await only(other)).id, { stock_number: "W-1A" });
      expect((await stock("2024,Ford,Focus")).counts).toMatchObject({ created: 1, failed: 0 });
      // A number that belongs to another vehicle by now, and to this one in the file, too, is not the first one's.
      await imported({ dealer, raw: raw("Stock Number", "Z-1") });
      await put((await only(dealer)).id, { stock_number: "Z-1A" });
      const two = await imported({ dealer, raw: raw("Stock Number,VIN", "Z-1,V9") });
      expect(two.counts).toMatchObject({ updated: 1 });
      expect(await only(dealer)).toMatchObject({ vin: "V9", stock_number: "Z-1A" });
      const three = await imported({ dealer, raw: raw("Stock Number,VIN", "Z-1,V10", "Z-1,V9") });
      expect(three.counts).toMatchObject({ created: 1, updated: 1, failed: 0 });
    });

    test("is what people wrote if the service exported it: their edits are taken", async () => {
      const dealer = await newDealer();
      await imported({ dealer, raw: file(line()) });
      const { id } = await only(dealer);
      await put(id, { description: "By hand" });
      const exported = (await fixture.api("GET", `/api/vehicles/export?dealer_id=${dealer}`)).text;
      await imported({ dealer, raw: exported.replace("By hand", "In a spreadsheet") });
      expect((await only(dealer)).description).toBe("In a spreadsheet");
      await imported({ dealer, raw: exported.replace("By hand", "Again") });
      expect((await only(dealer)).description).toBe("Again");
      await imported({ dealer, raw: file(line()) });
      expect((await only(dealer)).description).toBe("Again");
    });

    test("has nothing to be compared with after a vehicle moved or a mapping is gone", async () => {
      const [dealer, other] = [await newDealer(), await newDealer()];
      await imported({ dealer, raw: file(line()) });
      const { id } = await only(dealer);
      await put(id, { dealer_id: other, price: 50 });
      await put(id, { dealer_id: dealer });
      await imported({ dealer, raw: file(line()) });
      expect((await only(dealer)).price).toBe(100);
      const body = { name: "Own", dealer_id: dealer, columns: {} };
      const mapping = await create(fixture.api, "/api/import-mappings", body);
      await imported({ dealer, options: `mapping=${mapping.id}`, raw: file(line()) });
      await put(id, { price: 50 });
      await imported({ dealer, options: `mapping=${mapping.id}`, raw: file(line()) });
      expect((await only(dealer)).price).toBe(50);
      expectReply(await fixture.api("DELETE", `/api/import-mappings/${mapping.id}`), { status: 200 });
    });

    test("has photos of this service by the addresses at which they are delivered, in rows, kept values and corrections", async () => {
      const dealer = await newDealer();
      await imported({ dealer, raw: file(line()) });
      const { id } = await only(dealer);
      const photo = async (number: number): Promise<string> => {
        const sent = await fixture.api<Image>("POST", `/api/vehicles/${id}/images`, {
          raw: await jpegPhoto(32, 24, number),
          headers: { "content-type": "image/jpeg" },
        });
        expectReply(sent, { status: 201 });
        return sent.body.image_url;
      };
      const [mine, other] = [await photo(1), await photo(2)];
      const adopted = await imported({ dealer, options: "merge=off", raw: file(line({ photos: mine })) });
      expect(await rowsOf(adopted.id)).toMatchObject([{ changes: { images: [[mine, other], [mine]] } }]);
      const later = await photo(3);
      const again = await imported({ dealer, raw: file(line({ photos: mine })) });
      const kept = { field: "images", file: [mine], ours: [mine, later] };
      expect(await rowsOf(again.id, "kept=true")).toMatchObject([{ kept: [kept] }]);
      const path = `/api/vehicles/${id}/corrections`;
      expect((await fixture.api<{ data: Correction[] }>("GET", path)).body.data).toMatchObject([kept]);
      expectReply(await fixture.api("DELETE", `${path}/images`), { status: 200 });
      const images = (await fixture.api<Image[]>("GET", `/api/vehicles/${id}/images`)).body;
      expect(images.map(({ image_url }) => image_url)).toEqual([mine]);
    });

    test("lists corrections beside the file's values, and gives the vehicle one when it is asked for", async () => {
      const dealer = await newDealer();
      const photos = "https://img.example.com/1.jpg";
      await imported({ dealer, raw: file(line({ photos })) });
      const { id } = await only(dealer);
      const path = `/api/vehicles/${id}/corrections`;
      const corrections = async () => (await fixture.api<{ data: Correction[] }>("GET", path)).body.data;
      expect(await corrections()).toEqual([]);
      await put(id, { price: 95, description: "By hand", images: [] });
      const source = { type: "uploads", id: null, name: null };
      expect(await corrections()).toMatchObject([
        { field: "price", file: 100, ours: 95, source },
        { field: "description", file: "File", ours: "By hand", source },
        { field: "images", file: [photos], ours: [], source },
      ]);
      const first = await fixture.api<{ data: Correction[]; meta: { next_cursor: string; total: number } }>(
        "GET",
        `${path}?limit=2`,
      );
      expect(first.body.data.map(({ field }) => field)).toEqual(["price", "description"]);
      expect(first.body.meta).toMatchObject({ total: 3 });
      expect(first.headers.get("x-total-count")).toBe("3");
      const rest = await fixture.api("GET", `${path}?limit=2&cursor=${first.body.meta.next_cursor}`);
      expectReply(rest, { status: 200, has: { data: [{ field: "images" }], meta: { next_cursor: null, total: 3 } } });
      for (const wrong of ["limit=0", "cursor=nothing"])
        expectReply(await fixture.api("GET", `${path}?${wrong}`), { status: 400, faults: [wrong.split("=")[0] ?? ""] });
      for (const field of ["price", "images", "price"])
        expectReply(await fixture.api("DELETE", `${path}/${field}`), { status: 200, has: { success: true } });
      expect(await corrections()).toMatchObject([{ field: "description" }]);
      expect((await only(dealer)).price).toBe(100);
      // From then on, the file changes it again.
      await imported({ dealer, raw: file(line({ price: 90, photos })) });
      expect((await only(dealer)).price).toBe(90);
      expectReply(await fixture.api("DELETE", `${path}/nothing`), { status: 400, faults: ["field"] });
      expectReply(await fixture.api("GET", "/api/vehicles/999999/corrections"), { status: 404, code: "not_found" });
    });

    test("is no correction if another file wrote the value, and names the mapping otherwise", async () => {
      const dealer = await newDealer();
      const mapping = { name: "Pricing tool", dealer_id: dealer, columns: {} };
      const { id: mappingId } = await create(fixture.api, "/api/import-mappings", mapping);
      await imported({ dealer, raw: file(line()) });
      await imported({ dealer, options: `mapping=${mappingId}`, raw: file(line({ price: 80 })) });
      const { id } = await only(dealer);
      const path = `/api/vehicles/${id}/corrections`;
      const corrections = async () => (await fixture.api<{ data: Correction[] }>("GET", path)).body.data;
      expect(await corrections()).toEqual([]);
      await imported({ dealer, options: `mapping=${mappingId}`, raw: file(line({ price: 70 })) });
      await put(id, { price: 75 });
      const source = { type: "mapping", id: mappingId, name: "Pricing tool" };
      expect(await corrections()).toMatchObject([{ field: "price", file: 70, ours: 75, source }]);
    });

    test("is compared with the sources that said something new last, however many there are", async () => {
      const dealer = await newDealer();
      await imported({ dealer, raw: file(line()) });
      const { id } = await only(dealer);
      await put(id, { price: 95 });
      // Each says the same price as the vehicle has, and said so before the upload or after it.
      const saidBy = async (sources: number, at: string): Promise<void> => {
        const db = connect(fixture.service.databaseUrl);
        await db.migrate(async (run) => {
          await run(`INSERT INTO import_bases (vehicle_id, source, dealer_id, updated_at, status, base)
            WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${sources})
            SELECT vehicle_id, 'mapping:' || CAST(n AS TEXT), dealer_id, '${at}', status, replace(base, '100', '70')
            FROM import_bases CROSS JOIN numbers WHERE vehicle_id = ${id} AND source NOT LIKE 'mapping:%'`);
        });
        await db.close();
      };
      const corrections = async () =>
        (await fixture.api<{ data: Correction[] }>("GET", `/api/vehicles/${id}/corrections`)).body.data;
      await saidBy(MOST_COMPARED, "2020-01-01T00:00:00.000Z");
      expect(await corrections()).toMatchObject([{ field: "price", file: 100, ours: 95 }]);
      await put(id, { price: 100 });
      expect(await corrections()).toEqual([]);
      const db = connect(fixture.service.databaseUrl);
      await db.migrate(async (run) => {
        await run(`UPDATE import_bases SET updated_at = '2099-01-01T00:00:00.000Z'
          WHERE vehicle_id = ${id} AND source LIKE 'mapping:%'`);
      });
      await db.close();
      expect(await corrections()).toMatchObject([{ field: "price", file: 70, ours: 100 }]);
    });

    /**
     * A lot of vehicles, three sources with files of their own, and people who change single vehicles and many at once.
     * The model says what each field must be: the last writer's value, where a file writes only what it changes, and
     * must not write over a person's value that it does not own.
     */
    // Which of the values counts is decided in the core, for both engines alike.
    const NIGHTS = inGate(engine.name === "SQLite" ? 5 : 2, 60);
    const VEHICLES = inGate(8, 400);
    const FIELDS = ["price", "mileage", "description", "trim"] as const;
    const OF_HANDS: readonly string[] = ["description", "trim"];
    type Values = Record<(typeof FIELDS)[number], string | number>;

    test(`loses no correction and leaves nothing stale in ${NIGHTS} nights of 3 sources`, async () => {
      const dealer = await newDealer();
      const next = numbers(DEEP ? 20_261_127 : 7);
      const mappings = await Promise.all(
        ["DMS", "Pricing tool"].map(async (name) => {
          const body = { name, dealer_id: dealer, columns: {} };
          return (await create(fixture.api, "/api/import-mappings", body)).id;
        }),
      );
      const sources = ["merge=on", ...mappings.map((id) => `mapping=${id}`)];
      const someValue = (field: string): string | number =>
        OF_HANDS.includes(field) ? `Text ${next(4)}` : 1000 + next(4);
      const values = (): Values => ({
        price: someValue("price"),
        mileage: someValue("mileage"),
        description: someValue("description"),
        trim: someValue("trim"),
      });
      const files = sources.map(() => Array.from({ length: VEHICLES }, values));
      const last = sources.map(() => Array.from({ length: VEHICLES }, (): Partial<Values> => ({})));
      const records: Values[] = [];
      const ids: number[] = [];

      const expectModel = async (): Promise<void> => {
        const { body } = await fixture.api<{ vehicles: Vehicle[] }>(
          "GET",
          `/api/vehicles?dealer_id=${dealer}&limit=1000`,
        );
        const has = new Map(body.vehicles.map((vehicle) => [Number(vehicle.vin?.slice(1)), vehicle]));
        for (const [place, record] of records.entries())
          expect([place, has.get(place)]).toEqual([place, expect.objectContaining(record)]);
        if (ids.length === 0) for (let place = 0; place < VEHICLES; place++) ids.push(has.get(place)?.id ?? 0);
      };
      /** What a file makes of the records. Returns how many vehicles it changes. */
      const night = (source: number): number => {
        let changed = 0;
        for (let place = 0; place < VEHICLES; place++) {
          const [said, before] = [files[source]?.[place], last[source]?.[place]];
          if (said === undefined || before === undefined) throw new Error("no such row");
          const record = records[place] ?? { ...said };
          const was = JSON.stringify(record);
          for (const field of FIELDS) {
            const isFirst = before[field] === undefined;
            const isNews = isFirst || before[field] !== said[field];
            const isCorrected = !isFirst && record[field] !== before[field];
            if (isNews && !(isCorrected && OF_HANDS.includes(field))) record[field] = said[field];
            before[field] = said[field];
          }
          if (records[place] === undefined || was !== JSON.stringify(record)) changed += 1;
          records[place] = record;
        }
        return changed;
      };

      for (let day = 0; day < NIGHTS; day++)
        for (const [source, options] of sources.entries()) {
          for (const row of files[source] ?? [])
            for (const field of FIELDS) if (next(6) === 0) row[field] = someValue(field);
          const lines = (files[source] ?? []).map(
            ({ price, mileage, description, trim }, place) =>
              `V${place},,2020,Honda,Civic,${price},${mileage},${description},${trim}\n`,
          );
          const raw = `VIN,Stock Number,Year,Make,Model,Price,Mileage,Description,Trim\n${lines.join("")}`;
          const changed = night(source);
          const { counts } = await imported({ dealer, options, raw });
          expect([day, source, counts.created + counts.updated, counts.failed]).toEqual([day, source, changed, 0]);
          await expectModel();
          expect((await imported({ dealer, options, raw })).counts.unchanged).toBe(VEHICLES);
          // Between the files, people correct single vehicles and many at once.
          for (let edits = next(4); edits > 0; edits--) {
            const place = next(VEHICLES);
            const field = FIELDS[next(FIELDS.length)] ?? "price";
            const value = someValue(field);
            await put(ids[place] ?? 0, { [field]: value });
            (records[place] as Values)[field] = value;
          }
          if (next(3) === 0) {
            const places = [next(VEHICLES), next(VEHICLES)];
            const price = 1000 + next(4);
            const body = { ids: [...new Set(places.map((place) => ids[place] ?? 0))], changes: { price } };
            expectReply(await fixture.api("POST", "/api/vehicles/bulk", { body }), { status: 200 });
            for (const place of places) (records[place] as Values).price = price;
          }
        }
      await expectModel();
    }, 1_800_000); // The nights of the deep run take minutes of their own.
  });
