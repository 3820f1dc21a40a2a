import type { Api } from "./client.ts";
import { EVERY_PAIR, NO_LIMIT, pairs } from "./service.ts";

/** Records with these ids always exist, so that test tables can name them. */
export const NORTH = 1;
export const SOUTH = 2;
export const NORTH_CAR = 1;
export const SOUTH_CAR = 2;
/** An id that no record has. */
export const NOTHING = 9_007_199_254_740_991;

/** A word in every record of the dealer SOUTH. It must never appear in an answer to a key bound to NORTH. */
export const SOUTH_MARK = "Southern";

export const dealerBody = (fields: object = {}) => ({
  name: "Harbor Motors",
  address: "12 Quay Street",
  city: "Portland",
  state: "OR",
  zip: "97201",
  phone: "503-555-0142",
  email: "sales@harbor.example.com",
  ...fields,
});

export const vehicleBody = (dealerId: number | null, fields: object = {}) => ({
  ...(dealerId !== null && { dealer_id: dealerId }),
  make: "Toyota",
  model: "Camry",
  year: 2024,
  price: 25_999.99,
  ...fields,
});

let photos = 0;
/** An image with an address that no other has. */
export const imageBody = (fields: object = {}) => ({
  image_url: `https://images.example.com/front-${++photos}.jpg`,
  ...fields,
});

export const keyBody = (fields: object = {}) => ({
  name: "Showroom website",
  app_type: "web",
  app_id: "showroom-site",
  rate_limit: NO_LIMIT,
  ...fields,
});

export const feedBody = (dealerId: number, fields: object = {}) => ({
  name: "Google",
  channel: "csv",
  dealer_ids: [dealerId],
  ...fields,
});

let people = 0;
export const userBody = (fields: object = {}) => ({
  name: "Robin Example",
  email: `robin${++people}@example.com`,
  role: "user",
  ...fields,
});

/** A created record. */
export interface Created {
  readonly id: number;
}
export interface CreatedKey extends Created {
  readonly api_key: string;
}

const NORTH_USER = "north's user";
/** Every kind of caller. */
export const CALLERS = [
  "super-admin",
  "super-admin's user",
  "free user",
  "north",
  "north's admin",
  NORTH_USER,
  "south",
  "powerless",
  "north's powerless",
] as const;
export type Caller = (typeof CALLERS)[number];

/** Two dealers with a vehicle each, and a key for every kind of caller. */
export interface SampleRecords {
  readonly keys: Readonly<Record<Caller, CreatedKey>>;
  readonly users: Readonly<Record<"super-admin's user" | "free user" | "north's admin" | typeof NORTH_USER, number>>;
}

/** Creates a record as the super-admin, and fails unless it succeeds. */
export const create = async <Record extends Created = Created>(
  api: Api,
  path: string,
  body: object,
): Promise<Record> => {
  const reply = await api<Record>("POST", path, { body });
  if (reply.status !== 201) throw new Error(`POST ${path} answered ${reply.status} ${reply.text}`);
  return reply.body;
};

/** As many vehicles with 20 kB of text as fit into one request, where each byte may become six. */
const AT_ONCE = 8;

/** Creates vehicles many to a request, which costs a fraction of creating them one by one. */
export const createVehicles = async (api: Api, items: readonly object[]): Promise<void> => {
  for (let sent = 0; sent < items.length; sent += AT_ONCE) {
    const body = { items: items.slice(sent, sent + AT_ONCE) };
    const reply = await api("POST", "/api/vehicles/batch", { body });
    if (reply.status !== 200) throw new Error(`vehicles were refused: ${reply.status} ${reply.text}`);
  }
};

const expectNumber = ({ id }: Created, wanted: number): void => {
  if (id !== wanted) throw new Error(`a fresh database numbered a record ${id} instead of ${wanted}`);
};

/** Fills a fresh service with these records. */
export const createSampleRecords = async (api: Api): Promise<SampleRecords> => {
  expectNumber(await create(api, "/api/dealers", dealerBody({ name: "Northern Motors" })), NORTH);
  expectNumber(
    await create(api, "/api/dealers", dealerBody({ name: `${SOUTH_MARK} Motors`, city: SOUTH_MARK })),
    SOUTH,
  );
  expectNumber(await create(api, "/api/vehicles", vehicleBody(NORTH)), NORTH_CAR);
  expectNumber(
    await create(api, "/api/vehicles", vehicleBody(SOUTH, { make: SOUTH_MARK, trim: SOUTH_MARK })),
    SOUTH_CAR,
  );

  const key = (fields: object) => create<CreatedKey>(api, "/api/keys", keyBody(fields));
  const user = async (fields: object) => (await create(api, "/api/users", userBody(fields))).id;
  const users = {
    "super-admin's user": await user({ role: "super_admin" }),
    "free user": await user({}),
    "north's admin": await user({ role: "dealer_admin", dealer_id: NORTH }),
    [NORTH_USER]: await user({ dealer_id: NORTH }),
  };
  return {
    users,
    keys: {
      "super-admin": await key({ permissions: EVERY_PAIR }),
      "super-admin's user": await key({ user_id: users["super-admin's user"] }),
      "free user": await key({ user_id: users["free user"] }),
      north: await key({ dealer_id: NORTH, permissions: EVERY_PAIR }),
      "north's admin": await key({ user_id: users["north's admin"] }),
      [NORTH_USER]: await key({ user_id: users[NORTH_USER] }),
      south: await key({ dealer_id: SOUTH, permissions: EVERY_PAIR, name: SOUTH_MARK }),
      powerless: await key({ permissions: [] }),
      "north's powerless": await key({ dealer_id: NORTH, permissions: pairs() }),
    },
  };
};
