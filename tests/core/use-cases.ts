import { makeInventoryStates } from "../../adapters/sql/vehicles/inventory-states.ts";
import type { Clock } from "../../core/clock.ts";
import { Failure, type Outcome } from "../../core/failure.ts";
import type { ImageDelivery } from "../../core/images/image.ts";
import type { Upload } from "../../core/imports/reception.ts";
import type { JsonRecord } from "../../core/stored-json.ts";
import { fakeClock } from "../support/clock.ts";
import { accountsOn, coreOn } from "../support/core.ts";
import { ENGINES } from "../support/engines.ts";
import { superAdminKey } from "./callers.ts";

const [sqlite] = ENGINES;

export const NOW = "2026-11-20T09:11:00.000Z";

/** Every use case on a fresh SQLite database, with a clock that stands still. */
export const openUseCases = async (delivery: ImageDelivery | null = null) => {
  const db = await sqlite.open();
  const clock = fakeClock(Date.parse(NOW));
  const core = coreOn(db, clock, { imageDeliveryBase: delivery?.base ?? null });
  await core.vehicleWords.fill(() => {});
  const { accounts, leaving } = accountsOn(core, { db, clock });
  return {
    ...core,
    db,
    clock,
    accounts,
    leaving,
    storedKeys: core.repositories.keys,
    inventoryStates: makeInventoryStates(db),
  };
};
export type UseCases = Awaited<ReturnType<typeof openUseCases>>;

/** The value of an outcome that must be a success. */
export const succeeded = <Value>(outcome: Outcome<Value>): Value => {
  if (outcome instanceof Failure) throw new Error(`failed: ${JSON.stringify(outcome.cause)}`);
  return outcome;
};

/** The parsed record of a successful outcome. */
export const read = <Item>(outcome: Outcome<JsonRecord<Item>>): Item => succeeded(outcome).parse();

/** The cause of a failed outcome; `null` if it succeeded. */
export const causeOf = (outcome: unknown) => (outcome instanceof Failure ? outcome.cause : null);

/** The paths of the invalid fields that an outcome names; `null` if it names none. */
export const pathsOf = (outcome: unknown): string[] | null => {
  const cause = causeOf(outcome);
  return cause?.kind === "invalid" ? cause.issues.map(({ path }) => path).sort() : null;
};

export const newDealerBody = (name = "Harbor Motors") => ({
  name,
  address: "12 Quay Street",
  city: "Portland",
  state: "OR",
  zip: "97201",
  phone: "503-555-0142",
  email: "sales@harbor.example.com",
});

export const newVehicleBody = (fields: Readonly<Record<string, unknown>> = {}) => ({
  make: "Toyota",
  model: "Camry",
  year: 2024,
  price: 25999.99,
  ...fields,
});

export const newKeyBody = (fields: Readonly<Record<string, unknown>> = {}) => ({
  name: "Showroom website",
  app_type: "web",
  app_id: "showroom-site",
  ...fields,
});

export const newUserBody = (email: string, fields: Readonly<Record<string, unknown>> = {}) => ({
  name: "Robin Example",
  email,
  role: "user",
  ...fields,
});

export const newSourceBody = (fields: Readonly<Record<string, unknown>> = {}) => ({
  name: "Nightly file",
  url: "https://files.example.com/lot.csv",
  schedule: "30 2 * * *",
  ...fields,
});

export const newFeedBody = (dealerId: number, fields: Readonly<Record<string, unknown>> = {}) => ({
  name: "Google",
  channel: "csv",
  dealer_ids: [dealerId],
  ...fields,
});

export const newWebhookBody = (dealerId: number) => ({
  url: "https://hooks.example.com/inventory",
  events: ["vehicle.created"],
  dealer_id: dealerId,
});

export const newScheduleBody = (clock: Pick<Clock, "after">, vehicle_id: number) => ({
  vehicle_id,
  at: clock.after(24 * 60 * 60),
  changes: { price: 19_999 },
});

/** One dealer's records. */
export interface DealerRecords {
  readonly dealerId: number;
  readonly vehicleId: number;
  readonly removedId: number;
  readonly sourceId: number;
  readonly imageId: number;
  /** One that was stopped. */
  readonly importId: number;
  /** One that waits for a confirmation that nothing is missing. */
  readonly waitingImportId: number;
  readonly mappingId: number;
  readonly feedId: number;
  readonly webhookId: number;
  /** A message of the webhook. */
  readonly deliveryId: number;
  readonly scheduleId: number;
  readonly keyId: number;
  readonly userId: number;
  /** A change of the vehicle. */
  readonly changeId: string;
}

let estates = 0;

/** A file that is sent. */
export const uploadOf = (text: string): Upload => ({
  charset: null,
  name: null,
  format: "csv",
  pieces: (async function* () {
    yield new TextEncoder().encode(text);
  })(),
  sent: () => ({ bytes: text.length, sha256: "0".repeat(64) }),
});

/**
 * Creates a dealer with a sold vehicle, an image of it, a removed vehicle, stopped imports, a source, a feed, a key and
 * a user.
 */
export const createDealerRecords = async ({
  db,
  bulk,
  dealers,
  vehicles,
  images,
  imports,
  mappings,
  sources,
  feeds,
  webhooks,
  scheduledChanges,
  keys,
  users,
  clock,
}: UseCases): Promise<DealerRecords> => {
  const admin = superAdminKey();
  const number = ++estates;
  const { id: dealerId } = succeeded(await dealers.create(admin, newDealerBody(`Dealer ${number}`)));
  const { id: vehicleId } = succeeded(
    await vehicles.create(admin, newVehicleBody({ dealer_id: dealerId, status: "sold" })),
  );
  const image = { image_url: `https://images.example.com/${number}.jpg` };
  const { id: imageId } = succeeded(await images.add(admin, vehicleId, image)).image;
  const changes = { ids: [vehicleId], changes: { seats: 5 } };
  const changed = succeeded(await bulk.change(admin, { input: changes, mayGoOn: () => true }));
  const { id: removedId } = succeeded(await vehicles.create(admin, newVehicleBody({ dealer_id: dealerId })));
  succeeded(await vehicles.remove(admin, removedId));
  const { id: sourceId } = succeeded(await sources.create(admin, newSourceBody({ dealer_id: dealerId })));
  const stopped = async (): Promise<number> => {
    const file = uploadOf("VIN,Make\n1,Toyota\n");
    const arrived = succeeded(await imports.receive(admin, { dealer_id: dealerId }, file));
    const { id } = succeeded(await imports.start(admin, arrived));
    succeeded(await imports.cancel(admin, id));
    return id;
  };
  const [importId, waitingImportId] = [await stopped(), await stopped()];
  const text = `UPDATE imports SET state = 'needs_confirmation' WHERE id = ${waitingImportId}`;
  await db.writeOne({ text, bind: () => [] }, {});
  const { id: mappingId } = succeeded(
    await mappings.create(admin, { name: `Mapping ${number}`, dealer_id: dealerId, columns: { Ours: "vin" } }),
  );
  const { record } = succeeded(await keys.create(admin, newKeyBody({ dealer_id: dealerId })));
  const user = newUserBody(`user-${number}@harbor.example.com`, { dealer_id: dealerId });
  const { id: userId } = succeeded(await users.create(admin, user));
  const feedId = succeeded(await feeds.create(admin, newFeedBody(dealerId))).feed.id;
  const webhookId = succeeded(await webhooks.create(admin, newWebhookBody(dealerId))).webhook.id;
  const { id: deliveryId } = succeeded(await webhooks.test(admin, webhookId));
  const scheduleId = succeeded(await scheduledChanges.create(admin, newScheduleBody(clock, vehicleId))).id;
  return {
    dealerId,
    vehicleId,
    removedId,
    imageId,
    importId,
    waitingImportId,
    mappingId,
    sourceId,
    feedId,
    webhookId,
    deliveryId,
    scheduleId,
    keyId: record.id,
    userId,
    changeId: changed.change_id ?? "",
  };
};
