/**
 * Copies all vehicles that a key may read into a JSON file. Run it every night, with Node 22.18 or newer or with Bun:
 *
 *     SERVICE=http://localhost:3000 API_KEY=vis_... node nightly-sync.ts vehicles.json
 */
import { rename, writeFile } from "node:fs/promises";

interface Vehicle {
  readonly id: number;
  readonly title: string | null;
  readonly price: number;
  readonly status: "available" | "pending" | "sold";
  readonly updated_at: string;
}
interface Page {
  readonly vehicles: readonly Vehicle[];
  readonly meta: { readonly next_cursor: string | null };
}

const { SERVICE = "", API_KEY = "" } = process.env;
const ATTEMPTS = 5;

const seconds = (count: number): Promise<void> => new Promise((done) => setTimeout(done, count * 1000));

/** Reads one page. Waits as long as the service asks when a limit is reached or the service is busy. */
const read = async (parameters: URLSearchParams): Promise<Page> => {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(`${SERVICE}/api/vehicles?${parameters}`, { headers: { "X-API-Key": API_KEY } });
    if (response.ok) return (await response.json()) as Page;
    const mayPass = response.status === 429 || response.status === 503;
    if (!mayPass || attempt === ATTEMPTS) throw new Error(`${response.status}: ${await response.text()}`);
    await seconds(Number(response.headers.get("Retry-After") ?? 5));
  }
};

/** Every vehicle. The cursor continues exactly where the page before ended. */
const allVehicles = async (): Promise<Vehicle[]> => {
  const vehicles = new Map<number, Vehicle>();
  const parameters = new URLSearchParams({ limit: "500" });
  for (;;) {
    const { vehicles: some, meta } = await read(parameters);
    for (const vehicle of some) vehicles.set(vehicle.id, vehicle);
    if (meta.next_cursor === null) return [...vehicles.values()];
    parameters.set("cursor", meta.next_cursor);
  }
};

const [file = "vehicles.json"] = process.argv.slice(2);
const vehicles = await allVehicles();
// The new copy takes the old one's place as a whole: readers never see half of a night.
await writeFile(`${file}.new`, JSON.stringify(vehicles));
await rename(`${file}.new`, file);
process.stdout.write(`${vehicles.length} vehicles\n`);
