import { type Attack, LAST_WORDS, WORDY_VEHICLE } from "./attacks.ts";
import { addDealer, KEY, requestJson, sendRequest } from "./calls.ts";

/** A rate limit that nobody reaches. */
export const NO_LIMIT = 1_000_000_000;

const controlCharacters = (length: number) => "\u0001".repeat(length);

const LONGEST_VEHICLE = {
  dealer_id: 1,
  make: controlCharacters(100),
  model: controlCharacters(100),
  year: 2024,
  price: 1,
  title: controlCharacters(250),
  trim: controlCharacters(100),
  exterior_color: controlCharacters(100),
  interior_color: controlCharacters(100),
  stock_number: controlCharacters(64),
  description: controlCharacters(20_000),
  features: controlCharacters(5000),
  fuel_type: controlCharacters(100),
  transmission: controlCharacters(100),
  engine: controlCharacters(100),
  drivetrain: controlCharacters(100),
  body_style: controlCharacters(100),
  condition: controlCharacters(100),
};

/** 20 000 characters of different words. */
const WORDY_TEXT = `${Array.from({ length: 3000 }, (_, n) => n.toString(36).padStart(5, "x")).join(" ")} ${LAST_WORDS}`;

/** What the database is filled for. */
export interface Lots {
  /** The number of vehicles of each dealer who attacks. */
  readonly vehicles: number;
  readonly attacks: readonly Attack[];
}

/**
 * Creates a dealer whose vehicles are as long as possible, a vehicle of another dealer for the readers, and a dealer
 * whose vehicles have long texts of different words. Vehicles that no attack reads are left out.
 */
export const fillDatabase = async (url: string, { vehicles, attacks }: Lots): Promise<void> => {
  await addDealer(url);
  const dealer_id = await addDealer(url, "Hill Motors");
  const wordy = await addDealer(url, "Word Motors");
  const add = (body: object, key = KEY) => sendRequest(`${url}/api/vehicles`, { method: "POST", body, key });
  await add({ dealer_id, make: "Toyota", model: "Camry", year: 2024, price: 1 });
  const fill = async (lot: Attack["lot"], dealer: number, body: object): Promise<void> => {
    if (!attacks.some((attack) => attack.lot === lot)) return;
    const permissions = [{ resource: "vehicles", action: "write" }];
    const key = await keyOf(url, { app_type: "desktop", dealer_id: dealer, permissions, rate_limit: NO_LIMIT });
    for (let made = 0; made < vehicles; made++) await add(body, key);
  };
  await fill("longest", 1, LONGEST_VEHICLE);
  await fill("words", wordy, { ...WORDY_VEHICLE, dealer_id: wordy, description: WORDY_TEXT });
};

/** Creates a feed of a dealer, and returns the path of its file. */
export const feedOf = async (url: string, dealer: number): Promise<string> => {
  const body = { name: "Feed of a measurement", channel: "csv", dealer_ids: [dealer] };
  return new URL((await requestJson<{ url: string }>(`${url}/api/feeds`, { method: "POST", body })).url).pathname;
};

/** The ids of a dealer's newest vehicles, at most 1 000. */
export const idsOf = async (url: string, dealer: number): Promise<number[]> => {
  const { vehicles } = await requestJson<{ vehicles: { id: number }[] }>(
    `${url}/api/vehicles?dealer_id=${dealer}&limit=1000`,
  );
  return vehicles.map(({ id }) => id);
};

/** Creates a key, and returns it. */
export const keyOf = async (url: string, fields: object): Promise<string> => {
  const body = { name: "Key of a measurement", app_id: "hostile", ...fields };
  return (await requestJson<{ api_key: string }>(`${url}/api/keys`, { method: "POST", body })).api_key;
};
