import { beforeAll, describe, expect, test } from "bun:test";
import { ENGINES } from "../../support/engines.ts";
import { eventually } from "../../support/eventually.ts";
import { create, imageBody, NORTH, vehicleBody } from "../../support/sample-records.ts";
import { type Feed, feedsOn } from "./feeds.ts";

for (const engine of ENGINES)
  describe(`feeds on ${engine.name}`, () => {
    const { fixture, feedOf, columnOf, lot, read } = feedsOn(engine);

    describe("have a readiness that", () => {
      interface Readiness {
        readonly ready: number;
        readonly blocked: number;
        readonly warned: number;
        readonly rules: readonly {
          readonly rule: string;
          readonly severity: string;
          readonly field: string | null;
          readonly count: number;
        }[];
      }
      interface Findings {
        readonly data: readonly {
          readonly vehicle_id: number;
          readonly ready: boolean;
          readonly image_url: string | null;
          readonly issues: readonly { readonly rule: string }[];
        }[];
        readonly meta: { readonly next_cursor: string | null; readonly total: number };
      }
      const get = async <Body>(path: string): Promise<Body> => {
        const reply = await fixture.api<Body>("GET", path);
        expect([path, reply.status]).toEqual([path, 200]);
        return reply.body;
      };
      let feed: Feed;
      let path: string;
      beforeAll(async () => {
        const { dealer, vehicles } = await lot(6);
        for (const id of vehicles.slice(0, 4))
          await create(
            fixture.api,
            `/api/vehicles/${id}/images`,
            imageBody({ image_url: "https://images.example.com/a.jpg" }),
          );
        for (const [place, vin] of ["4T1G11AK5LU123456", "1HGCM82633A004352"].entries())
          await fixture.api("PUT", `/api/vehicles/${vehicles[place]}`, {
            body: {
              vin,
              condition: "used",
              mileage: 12_000,
              description: "A car with a description that is long enough.",
            },
          });
        feed = await feedOf(dealer, {
          channel: "google_vehicle_listings",
          link_template: "https://www.example.com/cars/{stock_number}",
          store_codes: { [dealer]: "HARBOR-1" },
        });
        path = `/api/feeds/${feed.id}`;
      });

      test("counts as blocked exactly the vehicles that the file leaves out", async () => {
        const readiness = await get<Readiness>(`${path}/readiness`);
        const ids = await columnOf(feed.url, "id");
        expect(readiness.ready + readiness.blocked).toBe(6);
        expect(ids).toHaveLength(readiness.ready);
        expect(readiness.blocked).toBeGreaterThan(0);
        const { fetches } = await eventually(
          () => read(feed.id),
          (one) => one.fetches.length > 0,
        );
        expect(fetches[0]).toMatchObject({ status: 200, rows: readiness.ready, left_out: readiness.blocked });
      });

      test("lists the vehicles of each rule, page by page, as many as the count says", async () => {
        const { rules } = await get<Readiness>(`${path}/readiness`);
        expect(rules.length).toBeGreaterThan(0);
        for (const { rule, severity, field, count } of rules) {
          const seen: number[] = [];
          let cursor = "";
          do {
            const { data, meta } = await get<Findings>(
              `${path}/readiness/vehicles?rule=${rule}&severity=${severity}&field=${field}&limit=2${cursor}`,
            );
            for (const { vehicle_id, issues } of data) {
              expect(issues).toContainEqual(expect.objectContaining({ rule, severity, field }));
              seen.push(vehicle_id);
            }
            cursor = meta.next_cursor === null ? "" : `&cursor=${meta.next_cursor}`;
            expect(meta.total).toBe(count);
          } while (cursor !== "");
          expect(seen).toEqual([...new Set(seen)].sort((one, other) => other - one));
          expect(seen).toHaveLength(count);
        }
        const errors = await get<Findings>(`${path}/readiness/vehicles?severity=error`);
        expect(errors.data.every(({ ready }) => !ready)).toBe(true);
        for (const { vehicle_id, image_url } of errors.data) {
          const images = await get<{ image_url: string }[]>(`/api/vehicles/${vehicle_id}/images`);
          expect(image_url).toBe(images[0]?.image_url ?? null);
        }
        expect(errors.meta.total).toBe((await get<Readiness>(`${path}/readiness`)).blocked);
      });

      test("has a preview that is not recorded as a fetch", async () => {
        const { id, url } = await feedOf(NORTH);
        const preview = await get<{ data: { id: number }[]; meta: object }>(`/api/feeds/${id}/preview?limit=1`);
        expect(preview).toMatchObject({ meta: { looked_at: 1, left_out: 0 } });
        const [first] = await columnOf(url, "id");
        expect(preview.data.map((row) => row.id)).toEqual([Number(first)]);
        expect(
          (
            await eventually(
              () => read(id),
              (one) => one.fetches.length > 0,
            )
          ).fetches,
        ).toHaveLength(1);
      });

      test("has a preview that ends early if its rows are long", async () => {
        const { dealer } = await lot(1);
        const description = "\u0001".repeat(20_000);
        for (let n = 0; n < 12; n++) await create(fixture.api, "/api/vehicles", vehicleBody(dealer, { description }));
        const { id } = await feedOf(dealer);
        const { text, body } = await fixture.api<{ data: object[] }>("GET", `/api/feeds/${id}/preview?limit=100`);
        expect(text.length).toBeLessThan(1.5 * 1024 * 1024);
        expect(body.data.length).toBeLessThan(12);
        expect(body.data.length).toBeGreaterThan(1);
      });
    });
  });
