import { beforeAll, describe, expect, test } from "bun:test";
import type { Import, ImportRow } from "../../core/imports/import.ts";
import type { Vehicle } from "../../core/vehicles/vehicle.ts";
import { ANSWERING } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { create, imageBody, NORTH, SOUTH, vehicleBody } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";
import { WORKBOOK_TYPE } from "../support/workbooks.ts";

/** Texts that a careless writer or reader would change. */
const ODD = [
  'say "so", and; "',
  "two\nlines\r\nand\rmore",
  "a\ttab|bar",
  "  blanks at both ends  ",
  "'quoted'",
  "=1+1",
  "007",
  '="007"',
  "1e3",
  "true",
  "null",
  "Used",
  "Škoda 小型車 😀",
];
const TYPES = { csv: "text/csv", tsv: "text/tab-separated-values", ndjson: "application/x-ndjson" } as const;

for (const engine of ANSWERING)
  describe(`a file exported on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    const have = (dealer: number, fields: object) => create(fixture.api, "/api/vehicles", vehicleBody(dealer, fields));

    beforeAll(async () => {
      for (const [place, text] of ODD.entries()) {
        const { id } = await have(place % 2 === 0 ? NORTH : SOUTH, {
          ...{ make: text, model: text, title: text, trim: text, condition: text, engine: text, body_style: text },
          ...{
            description: text,
            features: text,
            stock_number: `${place} ${text}`,
            price: place + 0.95,
            mileage: place,
          },
          ...{ featured: place % 2 === 0, status: ["available", "pending", "sold"][place % 3], seats: place + 1 },
          ...{ warranty: text, charge_port: text, emissions_standard: text, owners: place, doors: 5 },
          ...{ msrp: place + 0.5, battery_capacity: 77, fuel_consumption: place / 100, energy_consumption: 17.9 },
          ...{ electric_range: place, co2_emissions: 0, date_first_registered: "2021-03-15" },
          ...(place % 3 === 0 && { stage: "in_prep", listed_at: "2026-01-02T03:04:05.678Z" }),
        });
        for (const name of ["b;1", "a,2|3"].slice(0, place % 3))
          await create(
            fixture.api,
            `/api/vehicles/${id}/images`,
            // The second image, if there is one, is the primary one, which the file has first.
            imageBody({ image_url: `https://images.example.com/${place}/${name}.jpg`, is_primary: true }),
          );
      }
      for (const dealer of [NORTH, SOUTH]) {
        await have(dealer, { title: "", description: "", features: "", trim: "  ", stock_number: " " });
        // No VIN or stock number distinguishes these.
        for (const price of [0, 1]) await have(dealer, { price, vin: "TWICE2", stock_number: "Twice" });
        for (const price of [2, 3]) await have(dealer, { price, stock_number: "twice" });
      }
    });

    /** All vehicles and their images. */
    const state = async (): Promise<unknown> => {
      const { body } = await fixture.api<{ vehicles: { id: number }[] }>("GET", "/api/vehicles?limit=1000");
      const images = body.vehicles.map(async ({ id }) => (await fixture.api("GET", `/api/vehicles/${id}/images`)).body);
      return { vehicles: body.vehicles, images: await Promise.all(images) };
    };

    interface Sending {
      readonly format: keyof typeof TYPES;
      readonly key: string;
      readonly options: string;
    }
    const importedAgain = async (
      { format, key, options }: Sending,
      changed: (text: string) => string = (text) => text,
    ): Promise<Import> => {
      const file = await fixture.api("GET", `/api/vehicles/export?format=${format}`, { key });
      const sent = await fixture.api<Import>("POST", `/api/imports?${options}`, {
        key,
        raw: changed(file.text),
        headers: { "content-type": TYPES[format] },
      });
      expect(sent.status).toBe(202);
      const { body } = await eventually(
        () => fixture.api<Import>("GET", `/api/imports/${sent.body.id}`, { key }),
        ({ body }) => body.state !== "queued" && body.state !== "running",
      );
      return body;
    };

    test("as a workbook and imported again changes nothing", async () => {
      const before = await state();
      const key = fixture.records.keys["super-admin"].api_key;
      const headers = { "x-api-key": key, "content-type": WORKBOOK_TYPE };
      const file = await fetch(`${fixture.service.url}/api/vehicles/export?format=xlsx`, { headers });
      const sent = await fixture.api<Import>("POST", "/api/imports?empty=clear&decimal=comma", {
        ...{ key, headers },
        raw: new Uint8Array(await file.arrayBuffer()),
      });
      expect(sent.status).toBe(202);
      const { body } = await eventually(
        () => fixture.api<Import>("GET", `/api/imports/${sent.body.id}`, { key }),
        ({ body }) => body.state !== "queued" && body.state !== "running",
      );
      expect(body).toMatchObject({ state: "completed", counts: { unchanged: body.file.rows }, warnings: [] });
      expect(await state()).toEqual(before);
    });

    for (const format of ["csv", "tsv", "ndjson"] as const)
      for (const caller of ["super-admin", "north"] as const)
        for (const options of ["", "empty=clear&decimal=comma"])
          test(`as ${format} and imported by the same ${caller}${options && ` with ${options}`} changes nothing`, async () => {
            const before = await state();
            const {
              state: ended,
              counts,
              file,
            } = await importedAgain({
              format,
              options,
              key: fixture.records.keys[caller].api_key,
            });
            const { created, updated, failed, unchanged } = counts;
            expect([ended, created, updated, failed, unchanged]).toEqual(["completed", 0, 0, 0, file.rows]);
            expect(await state()).toEqual(before);
          });

    test("identifies vehicles of the same database by id, and none of another database", async () => {
      const { api_key: key } = fixture.records.keys.north;
      const own = await have(NORTH, { price: 5 });
      const other = await have(SOUTH, { price: 5 });
      const madeAt = async ({ id }: { readonly id: number }): Promise<string> =>
        (await fixture.api<Vehicle>("GET", `/api/vehicles/${id}`)).body.created_at;
      const [created_at, foreign] = [await madeAt(own), await madeAt(other)];
      const rows = async (id: number) =>
        (await fixture.api<{ data: ImportRow[] }>("GET", `/api/imports/${id}/rows`, { key })).body.data;
      const sent = async (...lines: readonly string[]) =>
        rows(
          (
            await importedAgain({ format: "csv", key, options: "" }, () =>
              ["id,vin,price,created_at", ...lines, ""].join("\n"),
            )
          ).id,
        );
      expect(
        await sent(
          `${own.id},,6,${created_at}`,
          `${own.id},,7,2001-01-01T00:00:00.000Z`,
          `${other.id},,8,${foreign}`,
          `${own.id},TWICE2,9,${created_at}`,
        ),
      ).toMatchObject([
        { outcome: "updated", vehicle_id: own.id, changes: { price: [5, 6] } },
        { outcome: "failed", errors: [{ code: "key_missing" }] },
        { outcome: "failed", errors: [{ code: "key_missing" }] },
        { outcome: "failed", errors: [{ code: "match_conflict" }] },
      ]);
      expect((await fixture.api("GET", `/api/vehicles/${other.id}`)).body).toMatchObject({ price: 5 });
    });
  });
