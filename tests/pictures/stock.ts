import { type Browser, browserOn, FIRST, firstAdmin, signIn } from "../support/browser.ts";
import type { Api } from "../support/client.ts";
import { fakeClock } from "../support/clock.ts";
import { connect, type TestEngine } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { queryDatabase } from "../support/inspect-database.ts";
import { create, dealerBody, imageBody, keyBody, vehicleBody } from "../support/sample-records.ts";
import { startService, type TestService } from "../support/service.ts";
import { importsIn } from "../support/waiting-import.ts";
import { noteUnused, stockWebhooks } from "./attention-stock.ts";

/** The time of every clock in the pictures. */
export const DRAWN_AT = "2026-03-16T10:15:00.000Z";

/** The address of every client, which pages show. */
export const ADDRESS = "198.51.100.7";
/** All requests except the last are earlier. */
const LATELY = "2026-03-16T10:00:00.000Z";
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const DEALERS = [
  ["Harbor Motors", "Portland", "OR"],
  ["Cedar Ridge Auto Sales", "Boise", "ID"],
  ["Summit Volkswagen", "Denver", "CO"],
  ["Quay Street Cars", "Portland", "OR"],
  ["Northern Lights Motors", "Anchorage", "AK"],
  ["Valley Trucks", "Fresno", "CA"],
] as const;

const VEHICLES = [
  ["Toyota", "Camry", 2024, 25_999, 12_400, "available"],
  ["Ford", "F-150", 2022, 38_450, 31_080, "available"],
  ["Honda", "Civic", 2021, 18_900, 42_310, "pending"],
  ["Subaru", "Outback", 2023, 29_750, 18_640, "available"],
  ["Tesla", "Model 3", 2022, 31_200, 27_905, "sold"],
  ["Jeep", "Wrangler", 2020, 33_990, 51_220, "available"],
  ["Mazda", "CX-5", 2024, 30_480, 6_150, "available"],
  ["Volkswagen", "Golf", 2019, 14_250, 68_730, "sold"],
  ["Hyundai", "Tucson", 2023, 27_100, 15_990, "available"],
] as const;

/** The VINs of these vehicles. */
const VINS = [
  "4T1C11AK7RU123456",
  // A typing error: it has 16 characters.
  "1FTFW1E52NFA1040",
  null,
  "4S4BTACCXP3110442",
  null,
  "1C4HJXDN4LW120660",
  "JM3KFBCM6R0371184",
  null,
  null,
] as const;

const FEEDS = [
  {
    name: "Google",
    channel: "google_vehicle_listings",
    dealer_ids: [1],
    link_template: "https://www.example.com/cars/{stock_number}",
    store_codes: { "1": "HARBOR-1" },
  },
  { name: "Dealers’ website", channel: "csv" },
  { name: "Meta ads", channel: "meta", dealer_ids: [1, 2], active: false },
] as const;

const KEYS = [
  ["Showroom website", "web", "showroom-site", 1, null],
  ["Price board", "desktop", "price-board", 1, 400],
  ["Lot scanner", "mobile", "lot-scanner", 2, 12],
  ["Partner feed", "web", "partner-feed", 3, null],
  ["Finance calculator", "web", "finance", 4, 25],
  ["Service desk", "desktop", "service-desk", 2, 90],
] as const;

const USERS = [
  ["Robin Example", "dealer_admin", 1],
  ["Kim Example", "user", 1],
  ["Alex Example", "dealer_admin", 2],
  ["Jo Example", "user", 3],
] as const;

/** A file of a dealer's system with one new vehicle, two changed ones and two mistakes. */
const NIGHTLY_FILE = `Stock #,Year,Make,Model,Odometer,Selling Price
A1040,2024,Toyota,Camry,12650,24250
A1041,2022,Ford,F-150,31080,37950
A1049,2023,Kia,Telluride,9870,36400
A1050,2O21,Nissan,Rogue,33410,21800
A1051,2020,BMW,X3,47200,Call
`;

const SOURCES = [
  ["Nightly file of the DMS", 1, "harbor.csv", "30 2 * * *", { type: "basic", user: "harbor", password: "invented" }],
  ["Group inventory", 2, "cedar-ridge.xml", "0 */6 * * *", { type: "header", name: "X-Feed-Key", value: "invented" }],
  ["Hourly changes", 3, "summit.csv", "0 * * * *", null],
] as const;

/** The results of these sources' last runs; the third source is switched off. */
const RUNS = [
  [
    ["2026-03-16T02:30:02.114Z", 1, 200, 252, null],
    ["2026-03-15T02:30:01.873Z", null, 304, 0, null],
    ["2026-03-14T02:30:02.402Z", null, 503, null, "The answer was 503, not 200"],
  ],
  [
    ["2026-03-16T06:00:01.310Z", null, 401, null, "The answer was 401, not 200"],
    ["2026-03-16T00:00:01.275Z", null, 401, null, "The answer was 401, not 200"],
  ],
  [],
] as const;

/** Stores runs of sources without fetching anything, and switches on those that have some. */
const haveRun = async (databaseUrl: string): Promise<void> => {
  const db = connect(databaseUrl);
  await db.migrate(async (run) => {
    for (const [place, listed] of RUNS.entries()) {
      const runs = listed.map(([at, import_id, status, bytes, problem]) => ({ at, import_id, status, bytes, problem }));
      const [next, since] = [
        ["'2026-03-17T02:30:00.000Z'", "NULL"],
        ["'2026-03-16T12:00:00.000Z'", "'2026-03-16T00:00:01.275Z'"],
      ][place] ?? ["NULL", "NULL"];
      await run(`UPDATE import_sources SET runs = '${JSON.stringify(runs)}', active = ${runs.length === 0 ? 0 : 1},
        next_at = ${next}, failing_since = ${since} WHERE id = ${place + 1}`);
    }
  });
  await db.close();
};

/** A service with invented records, and a super-admin's session. */
export interface Stocked {
  readonly service: TestService;
  readonly admin: Browser;
}

/** Starts a service on a fresh database, with a clock that stands still; `stocked` fills it with invented records. */
export const stockedService = async (
  engine: TestEngine,
  { stocked }: { readonly stocked: boolean },
): Promise<Stocked> => {
  const drawnAt = Date.parse(DRAWN_AT);
  const clock = fakeClock(drawnAt - 40 * DAY_MS);
  const service = await startService(engine, {}, { clock });
  const { url } = service;
  const api: Api = (method, path, sent = {}) =>
    service.api(method, path, { ...sent, headers: { "x-forwarded-for": ADDRESS, ...sent.headers } });
  const signedIn = async (): Promise<Stocked> => {
    clock.set(drawnAt);
    const admin = browserOn(url, ADDRESS);
    if ((await signIn(admin, FIRST.email)).status !== 200) throw new Error("nobody could sign in");
    return { service, admin };
  };
  await firstAdmin(service);
  if (!stocked) return signedIn();
  for (const [name, city, state] of DEALERS) {
    const email = `sales@${name.split(" ")[0]?.toLowerCase()}.example.com`;
    await create(api, "/api/dealers", dealerBody({ name, city, state, email }));
  }
  for (const [name, dealer_id, file, schedule, auth] of SOURCES) {
    const body = { name, dealer_id, url: `https://files.example.com/${file}`, schedule, auth, active: false };
    await create(api, "/api/import-sources", body);
  }
  for (const [index, [make, model, year, price, mileage, status]] of VEHICLES.entries()) {
    clock.advance(3 * DAY_MS);
    const fields = {
      make,
      model,
      year,
      price,
      mileage,
      status,
      stock_number: `A10${40 + index}`,
      featured: index === 1,
      vin: VINS[index] ?? null,
      condition: index === 8 ? "As traded" : "used",
    };
    const { id } = await create(api, "/api/vehicles", vehicleBody(1, fields));
    for (const side of ["front", "side", "back"].slice(index % 3))
      await create(
        api,
        `/api/vehicles/${id}/images`,
        imageBody({ image_url: `https://images.example.com/${id}/${side}.jpg` }),
      );
  }
  await create(api, "/api/vehicles", vehicleBody(2));
  await api("PUT", "/api/vehicles/1", { body: { price: 25_499 } });
  await api("PUT", "/api/vehicles/2", { body: { stage: "in_prep" } });
  const friday = { at: "2026-03-20T09:00:00Z", changes: { price: 37_450 } };
  await create(api, "/api/scheduled-changes", { vehicle_id: 2, ...friday });
  const old = { make: "Kia", model: "Soul", year: 2017, price: 9_450, stock_number: "A0998" };
  await api("DELETE", `/api/vehicles/${(await create(api, "/api/vehicles", vehicleBody(2, old))).id}`);
  const addresses: string[] = [];
  for (const feed of FEEDS) addresses.push((await create<{ id: number; url: string }>(api, "/api/feeds", feed)).url);
  for (const [name, role, dealer_id] of USERS)
    await create(api, "/api/users", { name, email: `${name.split(" ")[0]}@example.com`, role, dealer_id });
  const secrets: string[] = [];
  for (const [name, app_type, app_id, dealer_id, days] of KEYS) {
    clock.advance(HOUR_MS);
    const expires_at = days === null ? null : new Date(drawnAt + days * DAY_MS).toISOString();
    const body = keyBody({ name, app_type, app_id, dealer_id, expires_at, rate_limit: 600 });
    secrets.push((await create<{ id: number; api_key: string }>(api, "/api/keys", body)).api_key);
  }
  for (const hoursAgo of [20, 9, 6, 4, 3, 2, 1, 0]) {
    clock.set(drawnAt - hoursAgo * HOUR_MS - 60_000);
    for (const [index, key] of secrets.slice(0, 4).entries()) {
      const headers = { "user-agent": "Showroom/2.4 (Windows NT 10.0)", "x-app-type": KEYS[index]?.[1] ?? "web" };
      for (let request = 0; request < (12 - hoursAgo / 2) / (index + 1); request++)
        await api("GET", "/api/vehicles?limit=1", { key, headers });
      if (hoursAgo % 3 === 0) await api("GET", "/api/users", { key, headers });
    }
  }
  // Denials are written every second, and the audit log shows the last written entry first.
  const denied = `SELECT id FROM audit_entries WHERE action = 'access.denied' AND created_at > '${LATELY}'`;
  await eventually(
    () => queryDatabase(service.databaseUrl, denied),
    ({ length }) => length === 4,
  );
  await api("POST", "/api/keys/5/revoke");
  await api("PUT", "/api/vehicles/1", { body: { price: 24_500 } });
  await api("PUT", "/api/vehicles/3", { body: { status: "sold", sold_price: 18_400 } });
  const bulk = (ids: readonly number[], changes: object) =>
    api<{ change_id: string }>("POST", "/api/vehicles/bulk", { body: { ids, changes } });
  await bulk([6, 7], { drivetrain: "awd" });
  const lowered = await bulk([1, 2, 4, 9], { price: { percent: -3 } });
  await api("POST", `/api/recent-changes/${lowered.body.change_id}/revert`);
  await api("PUT", "/api/dealers/5", { body: { active: false } });
  for (const address of addresses)
    await fetch(address, { headers: { "x-forwarded-for": ADDRESS, "user-agent": "ListingFetcher/3.1" } });
  const file = { raw: NIGHTLY_FILE, headers: { "content-type": "text/csv" } };
  await api("POST", "/api/imports?dealer_id=1&dry_run=true", file);
  await eventually(
    () => importsIn(service.databaseUrl, "previewed"),
    (checked) => checked === 1,
  );
  await haveRun(service.databaseUrl);
  await stockWebhooks(api, service.databaseUrl);
  await noteUnused(service.databaseUrl);
  // Lists are sorted by usage, which is stored every ten seconds. A request to check it would count as usage.
  await service.runTimers(10);
  const used = "SELECT last_used_at FROM key_usage JOIN api_keys ON id = key_id WHERE app_id = 'showroom-site'";
  await eventually(
    () => queryDatabase<{ last_used_at: string }>(service.databaseUrl, used),
    ([row]) => row !== undefined && row.last_used_at > LATELY,
  );
  return signedIn();
};
