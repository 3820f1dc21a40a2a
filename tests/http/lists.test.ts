import { beforeAll, describe, expect, test } from "bun:test";
import { expectReply } from "../support/cases.ts";
import { ANSWERING } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { create, dealerBody, NORTH, NORTH_CAR, NOTHING, SOUTH, vehicleBody } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const ID = ["0", "01", "-1", "1.5", "1e0", "0x1", "", "%201", "+1", "abc", "9007199254740992", "1%00", "1,2"];
const FLAG = ["", "yes", "2", "-1", "01", "null"];
const TEXT = ["", "%20", "x".repeat(101), "a%00b"];
/** The last one has 9 words. */
const SEARCH = [...TEXT, "!", ",.", "-%20'", "1%202%203%204%205%206%207%208%209"];
const ORDER = { sort: ["", "Name", "password_hash", "name,id", "--name"], order: ["", "up", "ASC"] };
const AMOUNT = ["", "-1", "1.5", "01", "1e3", "0x10", "five", "9007199254740993"];
const WORD = ["", "lost", "sold,available", "sold%20"];

const MOMENT = ["", "yesterday", "2026-11-20", "2026-02-30T00:00:00Z", "2026-11-20T00:00:00"];

const VEHICLE_FILTERS: Record<string, readonly string[]> = {
  status: WORD,
  featured: FLAG,
  make: TEXT,
  model: TEXT,
  year: AMOUNT,
  min_price: AMOUNT,
  max_price: AMOUNT,
  min_year: AMOUNT,
  max_year: AMOUNT,
  min_mileage: AMOUNT,
  max_mileage: AMOUNT,
  min_electric_range: AMOUNT,
  max_electric_range: AMOUNT,
  doors: AMOUNT,
  body_style: TEXT,
  fuel_type: TEXT,
  transmission: TEXT,
  drivetrain: TEXT,
  condition: TEXT,
  exterior_color: TEXT,
  interior_color: TEXT,
  trim: TEXT,
  vin: [...TEXT, "x".repeat(33)],
  stock_number: TEXT,
  has_images: FLAG,
  created_since: MOMENT,
  updated_since: MOMENT,
  sold_since: MOMENT,
  stage: WORD,
  min_days_on_lot: AMOUNT,
  max_days_on_lot: AMOUNT,
  sort: ["", "Price", "price,id", "created_at", "--price", "+price"],
};

/** Parameters of each list, with invalid values. */
const REFUSED: Record<string, Record<string, readonly string[]>> = {
  "/api/vehicles": { ...VEHICLE_FILTERS, dealer_id: ID },
  [`/api/dealers/${NORTH}/vehicles`]: VEHICLE_FILTERS,
  "/api/dealers": { state: TEXT, city: TEXT, active: FLAG, q: SEARCH, ...ORDER },
  "/api/keys": { dealer_id: ID, user_id: ID, app_type: ["", "Web", "tablet"], active: FLAG, q: SEARCH, ...ORDER },
  "/api/users": { dealer_id: ID, role: ["", "admin", "USER"], active: FLAG, q: SEARCH, ...ORDER },
  "/api/audit": {
    action: ["", "key.used"],
    actor: ["", "12", "key:", "key:0", "dealer:1"],
    via: ["", "mail"],
    resource: ["", "audit"],
    id: ID,
    dealer_id: ID,
    from: ["", "yesterday", "2026-11-20"],
    to: ["", "2026-13-01T00:00:00Z"],
    cursor: ["", "x"],
  },
};

/** Every id in a path. */
const PATHS: [method: string, path: (id: string) => string][] = [
  ["GET", (id) => `/api/vehicles/${id}`],
  ["PUT", (id) => `/api/vehicles/${id}`],
  ["DELETE", (id) => `/api/vehicles/${id}`],
  ["GET", (id) => `/api/vehicles/${id}/images`],
  ["POST", (id) => `/api/vehicles/${id}/images`],
  ["DELETE", (id) => `/api/vehicles/1/images/${id}`],
  ["GET", (id) => `/api/dealers/${id}`],
  ["GET", (id) => `/api/dealers/${id}/vehicles`],
  ["GET", (id) => `/api/dealers/${id}/stats`],
  ["GET", (id) => `/api/keys/${id}`],
  ["POST", (id) => `/api/keys/${id}/revoke`],
  ["PUT", (id) => `/api/keys/${id}/permissions/vehicles/read`],
  ["GET", (id) => `/api/users/${id}`],
  ["DELETE", (id) => `/api/users/${id}`],
];

interface Inventory {
  readonly meta: { readonly total: number; readonly timestamp: string };
  readonly vehicles: readonly { readonly id: number }[];
}

for (const engine of ANSWERING)
  describe(`lists on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    let dealer: number;
    let ids: number[];

    beforeAll(async () => {
      dealer = (await create(fixture.api, "/api/dealers", dealerBody())).id;
      ids = [];
      for (const fields of [
        {
          make: "Škoda",
          model: "Fabia",
          year: 2020,
          price: 100,
          listed_at: "2020-01-01T00:00:00Z",
          body_style: "Kombi",
          trim: "Élan",
          vin: "TMB-1",
        },
        {
          make: "ŠKODA",
          model: "Octavia",
          year: 2021,
          price: 99.99,
          status: "sold",
          body_style: "KOMBI",
          stock_number: "Ж-7",
          stage: "delivered",
          mileage: 5,
        },
        { make: "Toyota", model: "Camry", year: 2021, price: 100.01, featured: true, trim: "elan", mileage: 70 },
      ]) {
        ids.push((await create(fixture.api, "/api/vehicles", vehicleBody(dealer, fields))).id);
        const { clock } = fixture.service;
        const createdBy = clock.now();
        // Vehicles of one millisecond would be ordered by id, whatever order is requested.
        await eventually(clock.now, (now) => now > createdBy);
      }
    });

    for (const [path, parameters] of Object.entries(REFUSED))
      for (const [name, values] of Object.entries(parameters))
        test(`of ${path} name ${name} for invalid values`, async () => {
          for (const value of values) {
            const reply = await fixture.api("GET", `${path}?${name}=${value}`);
            expect([value, reply.status]).toEqual([value, 400]);
            expectReply(reply, { status: 400, code: "invalid_input", faults: [name] });
          }
        });

    test("name the missing half of a place and a distance", async () => {
      for (const path of ["/api/vehicles", `/api/dealers/${NORTH}/vehicles`])
        for (const [query, missing] of [
          ["near=97201", "radius"],
          ["near=97201&radius_unit=km", "radius"],
          ["near=97201&sort=near", "radius"],
          ["radius=10", "near"],
          ["radius_unit=mi", "near"],
          ["sort=near", "near"],
        ] as const) {
          const reply = await fixture.api("GET", `${path}?${query}`);
          expectReply(reply, { status: 400, code: "invalid_input", faults: [missing] });
        }
      for (const near of ["", "9720", "00000", "45.5", "91,0", "0,181", "Portland", "97201%00"])
        for (const path of ["/api/vehicles", `/api/dealers/${NORTH}/vehicles`]) {
          const refused = (query: string) => fixture.api("GET", `${path}?near=${near}${query}`);
          expectReply(await refused("&radius=10"), { status: 400, code: "invalid_input", faults: ["near"] });
          expectReply(await refused(""), { status: 400, code: "invalid_input", faults: ["near", "radius"] });
        }
      for (const radius of [...AMOUNT, "0", "501"])
        expectReply(await fixture.api("GET", `/api/vehicles?near=97201&radius=${radius}`), {
          status: 400,
          code: "invalid_input",
          faults: ["radius"],
        });
      for (const unit of ["", "m", "MI", "miles"])
        expectReply(await fixture.api("GET", `/api/vehicles?near=97201&radius=10&radius_unit=${unit}`), {
          status: 400,
          code: "invalid_input",
          faults: ["radius_unit"],
        });
    });

    test("name every bad parameter at once, including impossible dates and missing companions of other parameters", async () => {
      const vehicles = [
        ["min_price=x&near=97201", "min_price", "radius"],
        ["min_price=x&radius=5", "min_price", "near"],
        ["near=0&radius_unit=m", "radius", "near", "radius_unit"],
        [
          "min_year=x&sold_since=2026-02-30T00:00:00Z&created_since=2026-11-20",
          "min_year",
          "created_since",
          "sold_since",
        ],
        ["near=97201&updated_since=2026-11-20T00:00:00", "updated_since", "radius"],
      ] as const;
      const sorted = ["limit=0&sort=near", "limit", "near"] as const;
      for (const [path, ...cases] of [
        ["/api/vehicles", ...vehicles, sorted],
        [`/api/dealers/${NORTH}/vehicles`, ...vehicles, sorted],
        ["/api/vehicles/facets", ...vehicles],
        ["/api/vehicles/export", ...vehicles],
        ["/api/report", ["from=x&to=2026-02-30", "from", "to"]],
        [`/api/dealers/${NORTH}/report`, ["from=2026-02-30&to=y", "from", "to"]],
        ["/api/audit", ["limit=0&from=2026-02-30T00:00:00Z", "limit", "from"]],
        ["/api/keys/1/usage", ["from=&to=2026-02-30T00:00:00Z", "from", "to"]],
      ] as const)
        for (const [query, ...faults] of cases) {
          const reply = await fixture.api("GET", `${path}?${query}`);
          expectReply(reply, { status: 400, code: "invalid_input", faults });
        }
    });

    test("report a bad parameter before they check ownership", async () => {
      for (const query of ["near=97201", "created_since=2026-02-30T00:00:00Z"])
        expectReply(
          await fixture.api("GET", `/api/dealers/${SOUTH}/vehicles?${query}`, {
            key: fixture.records.keys.north.api_key,
          }),
          {
            status: 400,
            code: "invalid_input",
          },
        );
    });

    test("find vehicles near a ZIP code or coordinates, in miles or kilometres, with cursors", async () => {
      // 40 miles, and 64 kilometres, north of the middle of 10001.
      const { id } = await create(fixture.api, "/api/dealers", { ...dealerBody(), latitude: 41.33, longitude: -74 });
      const far = [0, 1, 2].map(() => create(fixture.api, "/api/vehicles", vehicleBody(id)));
      const newest = (await Promise.all(far)).map((vehicle) => vehicle.id).sort((a, b) => b - a);
      const found = async (query: string): Promise<readonly number[]> => {
        const reply = await fixture.api<Inventory>("GET", `/api/vehicles?dealer_id=${id}&${query}`);
        expect([query, reply.status]).toEqual([query, 200]);
        expect(reply.body.meta.total).toBe(reply.body.vehicles.length);
        return reply.body.vehicles.map((vehicle) => vehicle.id);
      };
      expect(await found("near=10001&radius=41&sort=near")).toEqual(newest);
      expect(await found("near=10001-0001&radius=41&radius_unit=mi&sort=near")).toEqual(newest);
      expect(await found("near=10001&radius=41&radius_unit=km")).toEqual([]);
      expect(await found("near=40.75,-74&radius=65&radius_unit=km&sort=near")).toEqual(newest);
      expect(await found("near=97201&radius=500")).toEqual([]);
      const at = `/api/vehicles?near=41.33,-74&radius=1&sort=near&limit=2`;
      const first = await fixture.api<Inventory & { meta: { next_cursor: string } }>("GET", at);
      const second = await fixture.api<Inventory>("GET", `${at}&cursor=${first.body.meta.next_cursor}`);
      expect([...first.body.vehicles, ...second.body.vehicles].map((vehicle) => vehicle.id)).toEqual(newest);
      const elsewhere = await fixture.api(
        "GET",
        `${at.replace("41.33", "41.34")}&cursor=${first.body.meta.next_cursor}`,
      );
      expectReply(elsewhere, { status: 400, code: "invalid_input", faults: ["cursor"] });
    });

    test("refuse and name a parameter with 21 values", async () => {
      for (const name of ["make", "model", "status", "make[]"]) {
        const sent = (count: number) => `/api/vehicles?${Array(count).fill(`${name}=sold`).join("&")}`;
        expectReply(await fixture.api("GET", sent(20)), { status: 200 });
        expectReply(await fixture.api("GET", sent(21)), { status: 400, faults: [name.replace("[]", "")] });
      }
    });

    test("name all bad parameters of path and query at once", async () => {
      const reply = await fixture.api("GET", "/api/dealers/abc/vehicles?limit=0&status=lost&year=x");
      expectReply(reply, { status: 400, faults: ["id", "limit", "status", "year"] });
    });

    for (const [method, path] of PATHS)
      test(`and other paths accept only plain digits as an id: ${method} ${path(":id")}`, async () => {
        for (const id of [
          "0",
          "01",
          "-1",
          "1.0",
          "1e0",
          "0x1",
          "+1",
          "%201",
          "1%20",
          "1%00",
          "abc",
          "9007199254740993",
          "1;",
          "%31x",
        ]) {
          const reply = await fixture.api(method, path(id), method === "GET" ? {} : { body: {} });
          expect([id, reply.status]).toEqual([id, 400]);
        }
      });

    test("and other paths accept only known resources and actions in a permission", async () => {
      for (const pair of ["cars/read", "vehicles/drive", "constructor/read", "vehicles/__proto__", "Vehicles/read"])
        expect([pair, (await fixture.api("PUT", `/api/keys/1/permissions/${pair}`)).status]).toEqual([pair, 400]);
    });

    const FOUND: [query: string, places: number[]][] = [
      ["", [2, 1, 0]],
      ["make=%C5%A1koda", [1, 0]],
      ["make=TOYOTA&model=camry", [2]],
      ["model=Fab", []],
      ["year=2021", [2, 1]],
      ["year=0", []],
      ["status=sold", [1]],
      ["status=SOLD", [1]],
      ["status=sold&status[]=available", [2, 1, 0]],
      ["make=toyota&make=%C5%A1koda", [2, 1, 0]],
      ["make[]=tatra&make[]=toyota", [2]],
      ["featured=true", [2]],
      ["featured=1", [2]],
      ["featured=false", [1, 0]],
      ["featured=0", [1, 0]],
      ["min_price=100", [2, 0]],
      ["max_price=100", [1, 0]],
      ["min_price=100&max_price=100", [0]],
      ["min_price=101&max_price=99", []],
      ["min_price=0&max_price=9007199254740991", [2, 1, 0]],
      ["limit=1&offset=1", [1]],
      ["sort=newest", [2, 1, 0]],
      ["sort=oldest", [0, 1, 2]],
      ["sort=updated", [2, 1, 0]],
      ["sort=price", [1, 0, 2]],
      ["sort=-price&limit=2", [2, 0]],
      ["sort=mileage", [1, 2, 0]],
      ["sort=-mileage", [2, 1, 0]],
      ["sort=year", [0, 2, 1]],
      ["sort=-year&limit=2&offset=1", [1, 0]],
      ["sort=days_on_lot", [2, 1, 0]],
      ["sort=-days_on_lot&make=skoda", [0, 1]],
      ["make=skoda", [1, 0]],
      ["body_style=kombi", [1, 0]],
      ["body_style=sedan&body_style=kombi&trim=ELAN", [0]],
      ["trim=elan&trim=none", [2, 0]],
      ["vin=tmb-1", [0]],
      ["stock_number=%D0%B6-7", [1]],
      ["min_year=2021&max_year=2021", [2, 1]],
      ["min_mileage=0", [2, 1]],
      ["min_mileage=6&max_mileage=70", [2]],
      ["max_mileage=5", [1]],
      ["has_images=true", []],
      ["has_images=0", [2, 1, 0]],
      ["created_since=2000-01-01T00:00:00%2B05:00", [2, 1, 0]],
      ["updated_since=2999-01-01T00:00:00Z", []],
      ["sold_since=2000-01-01T00:00:00Z", [1]],
      ["stage=Delivered&stage=in_prep", [1]],
      ["min_days_on_lot=1", [0]],
      ["min_days_on_lot=0&max_days_on_lot=0", [2, 1]],
    ];
    for (const [query, places] of FOUND)
      test(`find the same for "${query}" with a dealer filter as in the dealer's inventory`, async () => {
        const wanted = places.map((place) => ids[place] as number);
        for (const path of [`/api/vehicles?dealer_id=${dealer}&${query}`, `/api/dealers/${dealer}/vehicles?${query}`]) {
          const { body, headers } = await fixture.api<Inventory>("GET", path);
          expect(body.vehicles.map(({ id }) => id)).toEqual(wanted);
          if (!query.includes("limit")) expect(body.meta.total).toBe(wanted.length);
          expect(body.meta).toMatchObject({ dealer_id: dealer });
          expect(headers.get("x-total-count")).toBe(String(body.meta.total));
        }
      });

    test("of an inventory always have its dealer's vehicles, whatever dealer_id is requested", async () => {
      const { body } = await fixture.api<Inventory>("GET", `/api/dealers/${dealer}/vehicles?dealer_id=${SOUTH}`);
      expect(body.vehicles).toHaveLength(3);
    });

    test("of the inventory are empty for a dealer without vehicles, and a 404 that names a missing dealer", async () => {
      const { id } = await create(fixture.api, "/api/dealers", dealerBody());
      expectReply(await fixture.api("GET", `/api/dealers/${id}/vehicles`), {
        status: 200,
        has: { meta: { total: 0 }, vehicles: [] },
      });
      expectReply(await fixture.api("GET", `/api/dealers/${NOTHING}/vehicles`), {
        status: 404,
        has: { error: `Dealer ${NOTHING} not found` },
      });
    });

    test("name the statement that ran, with placeholders and never with values", async () => {
      const query = `dealer_id=${dealer}&make=Toyota&year=2021&min_price=77`;
      const { body } = await fixture.api<{ meta: { sql: string } }>("GET", `/api/vehicles?${query}`);
      expect(body.meta.sql).toMatch(/^select .*order by .*created_at.* desc/is);
      for (const value of ["oyota", "2021", "77"]) expect(body.meta.sql).not.toContain(value);
    });

    test("have each vehicle exactly as it is read alone", async () => {
      const { body } = await fixture.api<Inventory>("GET", "/api/vehicles?limit=1000");
      for (const item of body.vehicles)
        expect((await fixture.api("GET", `/api/vehicles/${item.id}`)).body).toEqual(item);
      expect(body.vehicles.map(({ id }) => id)).toContain(NORTH_CAR);
    });
  });
