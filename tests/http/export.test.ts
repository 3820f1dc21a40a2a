import { beforeAll, describe, expect, test } from "bun:test";
import { gunzipSync } from "node:zlib";
import { readSheet } from "../core/imports/workbook.ts";
import { ANSWERING } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { testMovingClock } from "../support/moving-clock.ts";
import { readOn, unread } from "../support/paused-reader.ts";
import {
  type CreatedKey,
  create,
  createVehicles,
  imageBody,
  keyBody,
  NORTH,
  NORTH_CAR,
  SOUTH,
  vehicleBody,
} from "../support/sample-records.ts";
import { pairs } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";
import { heldSnapshots } from "../support/snapshots.ts";
import { sourcesTest } from "../support/sources-test.ts";
import { recordsOf } from "../support/tables.ts";
import { WORKBOOK_TYPE } from "../support/workbooks.ts";

const EXPORT = "/api/vehicles/export";
/** Each character takes one byte in the database and six in a file of JSON. */
const LONG_TEXT = "\u0001".repeat(20_000);
/** More than fits into the buffers of a client that does not read. */
const MANY = 150;
const ODD = 'a\ttab, a "quote"; =1\r\n and two lines ';

type Row = Readonly<Record<string, string>>;

for (const engine of ANSWERING)
  describe(`an export of vehicles on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);

    beforeAll(async () => {
      const bodies = Array.from({ length: MANY }, (_, made) =>
        vehicleBody(made % 3 === 0 ? SOUTH : NORTH, {
          make: ["Toyota", "Škoda", "Ford"][made % 3],
          vin: `VIN-${made}`,
          status: made % 4 === 0 ? "sold" : "available",
          description: made % 2 === 0 ? LONG_TEXT : ODD,
          mileage: made % 5 === 0 ? null : made,
          featured: made % 7 === 0,
        }),
      );
      await createVehicles(fixture.api, bodies);
      for (const name of ["b", "a"])
        await create(
          fixture.api,
          `/api/vehicles/${NORTH_CAR}/images`,
          imageBody({ image_url: `https://images.example.com/${name};1,2|3.jpg` }),
        );
    });

    /** The vehicles of the list. */
    const listed = async (query: string, key?: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
      const sent = key === undefined ? {} : { key };
      const { body } = await fixture.api<{ vehicles: Record<string, unknown>[] }>(
        "GET",
        `/api/vehicles?limit=1000&${query}`,
        sent,
      );
      return body.vehicles;
    };

    const exported = async (query = "", key?: string): Promise<Row[]> => {
      const { status, text } = await fixture.api("GET", `${EXPORT}?${query}`, key === undefined ? {} : { key });
      expect(status).toBe(200);
      return recordsOf(text);
    };

    test("as CSV has every vehicle in the list's order, with every field that an import accepts", async () => {
      const { headers, text } = await fixture.api("GET", EXPORT);
      expect([headers.get("content-type"), headers.get("content-disposition")]).toEqual([
        "text/csv; charset=utf-8",
        'attachment; filename="vehicles.csv"',
      ]);
      const vehicles = await listed("");
      expect(vehicles.length).toBe(MANY + 2);
      expect(recordsOf(text)).toEqual(
        vehicles.map(({ updated_at: _, previous_price: __, price_changed_at: ___, ...vehicle }) => ({
          ...Object.fromEntries(Object.entries(vehicle).map(([name, value]) => [name, String(value ?? "")])),
          images:
            vehicle.id === NORTH_CAR
              ? "https://images.example.com/b;1,2|3.jpg https://images.example.com/a;1,2|3.jpg"
              : "",
        })),
      );
    });

    sourcesTest("has the same vehicles as TSV and NDJSON, and TSV quotes texts with tabs", async () => {
      const rows = await exported("vin=VIN-1");
      const tsv = await fixture.api("GET", `${EXPORT}?format=tsv&vin=VIN-1`);
      expect([tsv.headers.get("content-type"), tsv.headers.get("content-disposition")]).toEqual([
        "text/tab-separated-values; charset=utf-8",
        'attachment; filename="vehicles.tsv"',
      ]);
      expect(recordsOf(tsv.text, "\t")).toEqual(rows);
      expect(rows[0]?.description).toBe(ODD);
      const ndjson = await fixture.api("GET", `${EXPORT}?format=ndjson&vin=VIN-1`);
      expect(ndjson.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
      const [line = "", end] = ndjson.text.split("\n");
      const parsed: Record<string, unknown> = JSON.parse(line);
      expect([parsed.description, parsed.mileage, parsed.trim, end]).toEqual([ODD, 1, null, ""]);
      const [vehicle] = await listed("vin=VIN-1");
      expect(parsed).toEqual({ ...vehicle, images: null });
    });

    test("as a workbook has the same vehicles, with numbers, dates and texts, in one compressed piece of its own", async () => {
      const some = "max_mileage=20";
      const ask = (method: string) =>
        fetch(`${fixture.service.url}${EXPORT}?format=xlsx&${some}`, {
          method,
          headers: { "x-api-key": fixture.service.superAdminKey, "accept-encoding": "gzip" },
        });
      const answer = await ask("GET");
      expect(
        ["content-type", "content-disposition", "content-encoding"].map((name) => answer.headers.get(name)),
      ).toEqual([WORKBOOK_TYPE, 'attachment; filename="vehicles.xlsx"', null]);
      const { rows } = await readSheet(new Uint8Array(await answer.arrayBuffer()));
      const vehicles = await listed(some);
      expect(vehicles.length).toBeGreaterThan(10);
      expect(rows.map(({ cells }) => ({ ...cells }))).toMatchObject(
        vehicles.map(({ id, vin, price, description, created_at }) => ({
          ...{ id, vin, price, created_at },
          description: description === "" ? null : description,
        })),
      );
      const head = await ask("HEAD");
      expect([head.headers.get("content-type"), (await head.arrayBuffer()).byteLength]).toEqual([WORKBOOK_TYPE, 0]);
    });

    sourcesTest("for a spreadsheet has no text that is evaluated as a formula", async () => {
      const [plain] = await exported("vin=VIN-1");
      const [safe] = await exported("vin=VIN-1&spreadsheet=true");
      expect([plain?.description, safe?.description]).toEqual([ODD, ODD.replace("; =1", "; '=1")]);
    });

    for (const query of [
      "status=sold",
      "make=skoda&min_mileage=10",
      "q=skoda",
      `q=ford&dealer_id=${NORTH}`,
      "near=97201&radius=500",
      "near=45.52,-122.68&radius=500&radius_unit=km&make=Ford",
      "has_images=true",
      "featured=true&status=available&max_mileage=60",
      "vin=vin-7",
      `dealer_id=${SOUTH}`,
      "year=1999",
    ])
      sourcesTest(`with ${query} has what the list finds with the same query`, async () => {
        const rows = await exported(query);
        expect(rows.map(({ id }) => Number(id))).toEqual((await listed(query)).map(({ id }) => Number(id)));
      });

    sourcesTest("by a dealer's key has only that dealer's vehicles, and no dealer column", async () => {
      const { api_key } = fixture.records.keys.north;
      const own = (await listed("", api_key)).map(({ id }) => String(id));
      for (const query of ["", `dealer_id=${SOUTH}`, "near=97201&radius=500", "q=toyota ford"]) {
        const rows = await exported(query, api_key);
        expect(rows.every(({ id }) => own.includes(id ?? ""))).toBe(true);
        if (!query.startsWith("q")) expect(rows.length).toBe(own.length);
        for (const row of rows) expect("dealer_id" in row).toBe(false);
      }
      for (const vin of ["VIN-0", "VIN-3"]) expect(await exported(`vin=${vin}`, api_key)).toEqual([]);
    });

    sourcesTest("is refused without the permission, and names a wrong parameter", async () => {
      const key = await create<CreatedKey>(fixture.api, "/api/keys", keyBody({ permissions: pairs("dealers:read") }));
      expect((await fixture.api("GET", EXPORT, { key: key.api_key })).status).toBe(403);
      for (const query of ["format=xls", "spreadsheet=perhaps", "radius=5", "created_since=yesterday"]) {
        const refused = await fixture.api<{ details: { path: string }[] }>("GET", `${EXPORT}?${query}`);
        expect([refused.status, refused.body.details.length]).toEqual([400, 1]);
      }
    });

    test("is gzipped on request with the same content, and HEAD announces it without a body", async () => {
      const ask = (method: string, encoding: string) =>
        fetch(`${fixture.service.url}${EXPORT}?make=Ford`, {
          method,
          decompress: false,
          headers: { "x-api-key": fixture.service.superAdminKey, "accept-encoding": encoding },
        });
      const plain = await ask("GET", "identity");
      const packed = await ask("GET", "gzip");
      const head = await ask("HEAD", "gzip");
      expect([plain, packed, head].map(({ headers }) => headers.get("content-encoding"))).toEqual([
        null,
        "gzip",
        "gzip",
      ]);
      for (const { headers } of [plain, packed, head]) expect(headers.get("vary")).toContain("Accept-Encoding");
      const text = await plain.text();
      expect(recordsOf(text).length).toBe(MANY / 3);
      expect(gunzipSync(await packed.arrayBuffer()).toString()).toBe(text);
      expect((await head.arrayBuffer()).byteLength).toBe(0);
    });

    /** A client that has the beginning of an export, and its own key. */
    const begun = async () => {
      const key = await create<CreatedKey>(fixture.api, "/api/keys", keyBody({ permissions: pairs("vehicles:read") }));
      const answer = await unread(fixture.service.url, `${EXPORT}?format=ndjson`, key.api_key);
      const expectCutShort = async () => {
        const text = await readOn(answer);
        expect(text).toStartWith("HTTP/1.1 200");
        expect(text.endsWith("\r\n0\r\n\r\n")).toBe(false);
      };
      return { key, leave: () => answer.socket.destroy(), expectCutShort };
    };

    sourcesTest("that nobody reads keeps its caller's next one waiting, and ends when its key is revoked", async () => {
      const { key, expectCutShort } = await begun();
      const waiting = () => fixture.api("GET", EXPORT, { key: key.api_key });
      await eventually(waiting, ({ status }) => status === 503);
      expect((await fixture.api("POST", `/api/keys/${key.id}/revoke`)).status).toBe(200);
      await expectCutShort();
    });

    testMovingClock("that takes longer than 15 minutes is broken off, and then holds no snapshot", async () => {
      const held = heldSnapshots({
        engine: engine.name === "SQLite" ? "sqlite" : "postgres",
        url: fixture.service.databaseUrl,
      });
      const { expectCutShort } = await begun();
      await create(fixture.api, "/api/vehicles", vehicleBody(NORTH));
      await held.become(1);
      await fixture.service.pass(15 * 60);
      await eventually(fixture.service.log, (log) => log.includes("the answer took too long"));
      await held.become(0);
      await expectCutShort();
      await held.close();
    });

    sourcesTest("holds a snapshot while it is read, and releases it when its client goes away", async () => {
      const held = heldSnapshots({
        engine: engine.name === "SQLite" ? "sqlite" : "postgres",
        url: fixture.service.databaseUrl,
      });
      const { leave } = await begun();
      await create(fixture.api, "/api/vehicles", vehicleBody(NORTH));
      await held.become(1);
      leave();
      await held.become(0);
      await held.close();
    });
  });
