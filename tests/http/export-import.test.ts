import { beforeAll, describe, expect, test } from "bun:test";
import type { Import } from "../../core/imports/import.ts";
import { ENGINES } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { sceneOn } from "../support/scene.ts";
import { create, imageBody, NORTH, SOUTH, vehicleBody } from "../support/world.ts";

const WITHIN_MS = 60_000;
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

for (const engine of ENGINES)
  describe(`a file that was exported on ${engine.name}`, () => {
    const scene = sceneOn(engine);

    beforeAll(async () => {
      for (const [place, text] of ODD.entries()) {
        const { id } = await create(
          scene.api,
          "/api/vehicles",
          vehicleBody(place % 2 === 0 ? NORTH : SOUTH, {
            ...{ make: text, model: text, title: text, trim: text, condition: text, engine: text, body_style: text },
            ...{ description: text, features: text, stock_number: `${place} ${text}`, price: place, mileage: place },
            ...{ featured: place % 2 === 0, status: ["available", "pending", "sold"][place % 3], seats: place + 1 },
            ...(place % 3 === 0 && { stage: "in_prep", listed_at: "2026-01-02T03:04:05.678Z" }),
          }),
        );
        for (const name of ["b;1", "a,2|3"].slice(0, place % 3))
          await create(
            scene.api,
            `/api/vehicles/${id}/images`,
            imageBody({ image_url: `https://images.example.com/${place}/${name}.jpg` }),
          );
      }
    });

    /** All that is known of the vehicles and their images. */
    const state = async (): Promise<unknown> => {
      const { body } = await scene.api<{ vehicles: { id: number }[] }>("GET", "/api/vehicles?limit=1000");
      const images = body.vehicles.map(async ({ id }) => (await scene.api("GET", `/api/vehicles/${id}/images`)).body);
      return { vehicles: body.vehicles, images: await Promise.all(images) };
    };

    for (const format of ["csv", "tsv", "ndjson"] as const)
      for (const caller of ["super-admin", "north"] as const)
        test(`as ${format}, imported by the ${caller} who exported it, changes nothing`, async () => {
          const key = scene.world.keys[caller].api_key;
          const before = await state();
          const file = await scene.api("GET", `/api/vehicles/export?format=${format}`, { key });
          const sent = await scene.api<Import>("POST", "/api/imports", {
            key,
            raw: file.text,
            headers: { "content-type": TYPES[format] },
          });
          expect(sent.status).toBe(202);
          const { body } = await eventually(
            () => scene.api<Import>("GET", `/api/imports/${sent.body.id}`, { key }),
            ({ body }) => body.state !== "queued" && body.state !== "running",
            WITHIN_MS,
          );
          // The vehicles of the world have neither VIN nor stock number, by which a file finds its vehicles.
          const rows = await scene.api<{ data: { outcome: string; errors: { code: string }[] }[] }>(
            "GET",
            `/api/imports/${sent.body.id}/rows`,
            { key },
          );
          expect(
            rows.body.data
              .filter(({ outcome }) => outcome !== "unchanged")
              .map(({ errors }) => errors.map(({ code }) => code)),
          ).toEqual(caller === "north" ? [["key_missing"]] : [["key_missing"], ["key_missing"]]);
          expect([body.state, body.counts.created, body.counts.updated]).toEqual(["completed", 0, 0]);
          expect(await state()).toEqual(before);
        });
  });
