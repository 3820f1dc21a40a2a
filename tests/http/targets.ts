import type { Delivery } from "../../core/webhooks/webhook.ts";
import type { Api } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import {
  type Created,
  create,
  feedBody,
  imageBody,
  keyBody,
  NOTHING,
  userBody,
  vehicleBody,
} from "../support/sample-records.ts";
import { STARTING_CLOCK } from "../support/service.ts";

/** The header of a CSV file. */
export const CSV = { "content-type": "text/csv" };

/** Records created for one request, all of one dealer. */
export interface Targets {
  readonly dealer: number;
  readonly vehicle: number;
  readonly removed: number;
  readonly source: number;
  readonly schedule: number;
  readonly image: number;
  readonly otherImage: number;
  readonly import: number;
  readonly dryRun: number;
  /** An import that has changed a vehicle. */
  readonly changing: number;
  readonly mapping: number;
  readonly feed: number;
  readonly webhook: number;
  /** A message of the webhook. */
  readonly delivery: number;
  readonly key: number;
  readonly user: number;
}

/** Targets with ids that no record has, at the given dealer. */
export const missingTargets = (nothing: number): Targets => ({
  dealer: nothing,
  vehicle: nothing,
  removed: nothing,
  source: nothing,
  schedule: nothing,
  image: nothing,
  otherImage: nothing - 1,
  import: nothing,
  dryRun: nothing,
  changing: nothing,
  mapping: nothing,
  feed: nothing,
  webhook: nothing,
  delivery: nothing,
  key: nothing,
  user: nothing,
});

/** The first record of each kind. */
export const FIRST_OF_EACH: Targets = {
  dealer: 1,
  vehicle: 1,
  removed: 1,
  source: 1,
  schedule: 1,
  image: 1,
  otherImage: 2,
  import: 1,
  dryRun: 1,
  changing: 1,
  mapping: 1,
  feed: 1,
  webhook: 1,
  delivery: 1,
  key: 1,
  user: 1,
};

/** A source whose host's name leads to this machine, which is refused when it is fetched, so that no request is sent. */
export const sourceBody = (dealer: number, name: string) => ({
  name,
  dealer_id: dealer,
  url: "https://ip6-localhost/lot.csv",
  schedule: "30 2 * * *",
});

const MONTH_SECONDS = 30 * 24 * 60 * 60;

/** A change of a vehicle that is scheduled for later than tests go on. */
export const scheduleBody = (vehicle_id: number) => ({
  vehicle_id,
  at: STARTING_CLOCK.after(MONTH_SECONDS),
  changes: { price: 19_999 },
});

/** An import of the file that has ended. */
const endedImport = async (api: Api, options: string, raw: string): Promise<number> => {
  const sent = await api<Created>("POST", `/api/imports?${options}`, { raw, headers: CSV });
  if (sent.status !== 202) throw new Error(`an import was answered ${sent.status} ${sent.text}`);
  const { id } = sent.body;
  await eventually(
    () => api<{ state: string }>("GET", `/api/imports/${id}`),
    ({ body }) => body.state === "completed" || body.state === "previewed",
  );
  return id;
};

/** A file with a row that has the mark, and fails only because it lacks a key. */
const failing = (mark: string): string => `VIN,Make,Model,Year,Price\n,${mark},Rio,2020,9000\n`;

/** Corrects the price of the vehicle against the file of an import. */
export const correctPrice = async (api: Api, { dealer, vehicle }: Targets): Promise<void> => {
  const vin = `CORRECTED${vehicle}`;
  await api("PUT", `/api/vehicles/${vehicle}`, { body: { vin, status: "available", undo_sale: true } });
  await endedImport(api, `dealer_id=${dealer}`, `VIN,Price\n${vin},7000\n`);
  await api("PUT", `/api/vehicles/${vehicle}`, { body: { price: 8000 } });
};

/** An import that has changed the price of a vehicle. */
const changingImport = async (api: Api, dealer: number, mark: string): Promise<number> => {
  const { id } = await create(api, "/api/vehicles", vehicleBody(dealer, { trim: mark }));
  const stock_number = `CHANGED-${id}`;
  await api("PUT", `/api/vehicles/${id}`, { body: { stock_number } });
  return endedImport(api, `dealer_id=${dealer}`, `Stock Number,Price\n${stock_number},901\n`);
};

/** A new source of the dealer in place of its others, whose number is limited. */
const onlySource = async (api: Api, dealerId: number, mark: string): Promise<number> => {
  const { body } = await api<{ data: readonly Created[] }>("GET", `/api/import-sources?dealer_id=${dealerId}`);
  for (const { id } of body.data) await api("DELETE", `/api/import-sources/${id}`);
  return (await create(api, "/api/import-sources", sourceBody(dealerId, mark))).id;
};

/** A webhook whose host's name leads to this machine, so that no request is sent. It hears of nothing that tests do. */
export const webhookBody = (dealer: number, description = "Website") => ({
  url: "https://ip6-localhost/hook",
  events: ["feed.held"],
  dealer_id: dealer,
  description,
});

/** A new webhook of the dealer in place of its others, whose number is limited. */
const onlyWebhook = async (api: Api, dealerId: number, mark: string): Promise<number> => {
  const { body } = await api<{ data: readonly (Created & { dealer_id: number | null })[] }>("GET", "/api/webhooks");
  for (const { id, dealer_id } of body.data) if (dealer_id === dealerId) await api("DELETE", `/api/webhooks/${id}`);
  return (await create(api, "/api/webhooks", webhookBody(dealerId, mark))).id;
};

/** A scheduled change of a new vehicle of the dealer in place of its others, whose number is limited. */
const onlySchedule = async ({ api, dealer, mark }: Making): Promise<number> => {
  const open = `/api/scheduled-changes?state=scheduled&dealer_id=${dealer}`;
  const { body } = await api<{ data: readonly Created[] }>("GET", open);
  for (const { id } of body.data) await api("DELETE", `/api/scheduled-changes/${id}`);
  const { id: vehicle } = await create(api, "/api/vehicles", vehicleBody(dealer, { trim: mark, model: mark }));
  return (await create(api, "/api/scheduled-changes", scheduleBody(vehicle))).id;
};

/** A request that names targets in its path and its body. */
interface Naming {
  readonly path: (at: Targets) => string;
  readonly body?: (at: Targets) => object;
}

/** The targets that a request names. */
export const targetsOf = ({ path, body }: Naming): ReadonlySet<keyof Targets> => {
  const named = new Set<keyof Targets>();
  const watched = new Proxy(FIRST_OF_EACH, {
    get(targets, name: keyof Targets) {
      named.add(name);
      return targets[name];
    },
  });
  path(watched);
  body?.(watched);
  return named;
};

/** Where a target is made: an image at the vehicle that was made before it. */
interface Making {
  readonly api: Api;
  readonly dealer: number;
  readonly mark: string;
  readonly vehicle: number;
  readonly webhook: number;
}

const newVehicle = async ({ api, dealer, mark }: Making, status: "available" | "sold"): Promise<number> =>
  (await create(api, "/api/vehicles", vehicleBody(dealer, { trim: mark, status }))).id;
let photos = 0;
const newImage = async ({ api, vehicle, mark }: Making): Promise<number> => {
  const image_url = `https://images.example.com/${mark}-${++photos}.jpg`;
  return (await create(api, `/api/vehicles/${vehicle}/images`, imageBody({ image_url }))).id;
};

/** How each target is made, in this order. */
const MAKING: Readonly<Record<Exclude<keyof Targets, "dealer">, (on: Making) => Promise<number>>> = {
  vehicle: (on) => newVehicle(on, "sold"),
  removed: async (on) => {
    const id = await newVehicle(on, "available");
    await on.api("DELETE", `/api/vehicles/${id}`);
    return id;
  },
  source: ({ api, dealer, mark }) => onlySource(api, dealer, mark),
  schedule: onlySchedule,
  image: newImage,
  otherImage: newImage,
  import: ({ api, dealer, mark }) => endedImport(api, `dealer_id=${dealer}`, failing(mark)),
  dryRun: ({ api, dealer, mark }) => endedImport(api, `dealer_id=${dealer}&dry_run=true`, failing(mark)),
  changing: ({ api, dealer, mark }) => changingImport(api, dealer, mark),
  mapping: async ({ api, dealer, mark }) =>
    (await create(api, "/api/import-mappings", { name: mark, dealer_id: dealer, columns: {} })).id,
  feed: async ({ api, dealer, mark }) => (await create(api, "/api/feeds", feedBody(dealer, { name: mark }))).id,
  webhook: ({ api, dealer, mark }) => onlyWebhook(api, dealer, mark),
  delivery: async ({ api, webhook }) => {
    await api("POST", `/api/webhooks/${webhook}/test`);
    const { body } = await api<{ data: readonly Created[] }>("GET", `/api/webhooks/${webhook}/deliveries`);
    return body.data[0]?.id ?? NOTHING;
  },
  key: async ({ api, dealer, mark }) =>
    (await create(api, "/api/keys", keyBody({ dealer_id: dealer, permissions: [], rate_limit: 1, name: mark }))).id,
  user: async ({ api, dealer, mark }) =>
    (await create(api, "/api/users", userBody({ dealer_id: dealer, permissions: [], name: mark }))).id,
};
const EVERY_TARGET = new Set(Object.keys(MAKING) as (keyof typeof MAKING)[]);

/**
 * Records of this dealer that any caller with the permission may change; each contains `mark`. Only the named ones are
 * made; the others have an id that no record has.
 */
export const freshTargets = async (
  api: Api,
  { dealer, mark, named = EVERY_TARGET }: Pick<Making, "dealer" | "mark"> & { named?: ReadonlySet<keyof Targets> },
): Promise<Targets> => {
  const made = { ...missingTargets(NOTHING), dealer };
  for (const name of EVERY_TARGET)
    if (named.has(name))
      made[name] = await MAKING[name]({ api, dealer, mark, vehicle: made.vehicle, webhook: made.webhook });
  return made;
};

/** Everything about the targets, as a super-admin sees it. */
export const snapshotOf = async (api: Api, at: Targets): Promise<unknown[]> => {
  const removed = `/api/vehicles/removed?dealer_id=${at.dealer}`;
  // Whether messages were sent meanwhile, or could not be, is no change that a caller made.
  const webhook = `/api/webhooks/${at.webhook}`;
  const deliveries = `${webhook}/deliveries`;
  return Promise.all(
    [
      `/api/vehicles/${at.vehicle}`,
      `/api/vehicles/${at.vehicle}/images`,
      `/api/dealers/${at.dealer}`,
      `/api/keys/${at.key}`,
      `/api/users/${at.user}`,
      `/api/import-mappings/${at.mapping}`,
      `/api/import-sources/${at.source}`,
      `/api/scheduled-changes/${at.schedule}`,
      `/api/imports/${at.import}`,
      `/api/imports/${at.import}/rows`,
      `/api/imports/${at.dryRun}`,
      `/api/feeds/${at.feed}`,
      webhook,
      deliveries,
      removed,
    ].map(async (path) => {
      const { status, body } = await api<{ meta?: object; vehicles?: object; data?: Delivery[] }>("GET", path);
      if (path === webhook) return [path, status, { ...body, failing_since: undefined }];
      if (path === deliveries) return [path, status, body.data?.map(({ id, event }) => [id, event])];
      return [path, status, path === removed ? body.vehicles : body];
    }),
  );
};
