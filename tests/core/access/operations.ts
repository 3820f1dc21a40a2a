import type { Operation } from "../../../core/access/policy.ts";
import type { Principal } from "../../../core/access/principal.ts";
import { Failure } from "../../../core/failure.ts";
import {
  type DealerRecords,
  newDealerBody,
  newFeedBody,
  newKeyBody,
  newScheduleBody,
  newSourceBody,
  newUserBody,
  newVehicleBody,
  newWebhookBody,
  type UseCases,
  uploadOf,
} from "../use-cases.ts";

/** Attempts an operation on one dealer's records: on a record of the dealer, or by naming the dealer. */
export type Attempt = (core: UseCases, caller: Principal, estate: DealerRecords) => unknown;

const PAIR = { resource: "dealers", action: "read" } as const;
let emails = 0;
/** A listener that stays. */
const NOBODY = { mayGoOn: () => true, onGone: () => () => {} };

/** An attempt of every operation in the policy. */
export const ATTEMPTS: Readonly<Record<Operation, Attempt>> = {
  "vehicle.suggestions": ({ suggestions }, caller) => suggestions.list(caller, { q: "toyota" }),
  "vehicle.vin": ({ vins }, caller) => vins.decode(caller, "1HGBH41JXMN109186"),
  "vehicle.facets": ({ facets }, caller, { dealerId }) => facets.count(caller, { dealer_id: dealerId }),
  "vehicle.list": ({ vehicles }, caller, { dealerId }) => vehicles.list(caller, { dealer_id: dealerId }),
  "vehicle.export": ({ exports }, caller, { dealerId }) => exports.vehicles(caller, { dealer_id: dealerId }),
  "vehicle.read": ({ vehicles }, caller, { vehicleId }) => vehicles.get(caller, vehicleId),
  "vehicle.create": ({ vehicles }, caller, { dealerId }) =>
    vehicles.create(caller, newVehicleBody({ dealer_id: dealerId })),
  "vehicle.update": ({ vehicles }, caller, { vehicleId }) =>
    vehicles.update(caller, { id: vehicleId, input: { price: 1 } }),
  "vehicle.delete": ({ vehicles }, caller, { vehicleId }) => vehicles.remove(caller, vehicleId),
  "vehicle.bulk": ({ bulk }, caller, { vehicleId }) =>
    bulk.change(caller, { input: { ids: [vehicleId], changes: { price: 1 } }, mayGoOn: () => true }),
  "vehicle.batch": ({ batches }, caller, { dealerId }) =>
    batches.write(caller, {
      input: { items: [newVehicleBody({ dealer_id: dealerId, vin: "BATCH" })] },
      mayGoOn: () => true,
    }),
  "vehicle.removed": ({ removed }, caller, { dealerId }) => removed.list(caller, { dealer_id: dealerId }),
  "vehicle.recent-changes": ({ recentChanges }, caller, { dealerId }) =>
    recentChanges.list(caller, { dealer_id: dealerId }),
  "vehicle.revert": ({ recentChanges }, caller, { changeId }) =>
    recentChanges.revert(caller, { id: changeId, mayGoOn: () => true }),
  "vehicle.restore": ({ removed }, caller, { removedId }) => removed.restore(caller, removedId),
  "vehicle.purge": ({ removed }, caller, { removedId }) => removed.purge(caller, removedId),
  "vehicle.readiness": ({ readiness }, caller, { vehicleId }) => readiness.vehicle(caller, vehicleId),
  "vehicle.quality": ({ readiness }, caller, { dealerId }) => readiness.quality(caller, { dealer_id: dealerId }),
  "vehicle.history": ({ histories }, caller, { vehicleId }) => histories.read(caller, { id: vehicleId, query: {} }),
  "vehicle.sale": ({ sales }, caller, { vehicleId }) => sales.get(caller, vehicleId),
  "vehicle.set-sale": ({ sales }, caller, { vehicleId }) => sales.update(caller, vehicleId, { note: "Sold" }),
  "vehicle.advice": ({ advices }, caller, { vehicleId }) => advices.read(caller, vehicleId, {}),
  "vehicle.corrections": ({ corrections }, caller, { vehicleId }) => corrections.list(caller, { id: vehicleId }),
  "vehicle.take-file": ({ corrections }, caller, { vehicleId }) => corrections.takeFile(caller, vehicleId, "price"),

  "schedule.create": ({ scheduledChanges, clock }, caller, { vehicleId }) =>
    scheduledChanges.create(caller, newScheduleBody(clock, vehicleId)),
  "schedule.list": ({ scheduledChanges }, caller) => scheduledChanges.list(caller, {}),
  "schedule.read": ({ scheduledChanges }, caller, { scheduleId }) => scheduledChanges.get(caller, scheduleId),
  "schedule.cancel": ({ scheduledChanges }, caller, { scheduleId }) => scheduledChanges.cancel(caller, scheduleId),

  "change.list": ({ changeFeed }, caller, { dealerId }) =>
    changeFeed.list(caller, { dealer_id: dealerId }, { from: null, listener: NOBODY }),
  "change.stream": ({ changeFeed }, caller, { dealerId }) =>
    changeFeed.follow(caller, { dealer_id: dealerId }, { from: null, listener: NOBODY }),

  "image.list": ({ images }, caller, { vehicleId }) => images.list(caller, vehicleId, {}),
  "image.add": ({ images }, caller, { vehicleId }) =>
    images.add(caller, vehicleId, { image_url: "https://images.example.com/back.jpg" }),
  "image.update": ({ images }, caller, { vehicleId, imageId }) =>
    images.update(caller, { vehicleId, imageId, input: { display_order: 5 } }),
  "image.reorder": ({ images }, caller, { vehicleId, imageId }) =>
    images.reorder(caller, vehicleId, { image_ids: [imageId] }),
  "image.remove": ({ images }, caller, { vehicleId, imageId }) => images.remove(caller, vehicleId, imageId),

  "source.create": ({ sources }, caller, { dealerId }) =>
    sources.create(caller, newSourceBody({ dealer_id: dealerId })),
  "source.list": ({ sources }, caller, { dealerId }) => sources.list(caller, { dealer_id: dealerId }),
  "source.read": ({ sources }, caller, { sourceId }) => sources.get(caller, sourceId),
  "source.update": ({ sources }, caller, { sourceId }) => sources.update(caller, sourceId, { name: "Another" }),
  "source.delete": ({ sources }, caller, { sourceId }) => sources.remove(caller, sourceId),
  "source.run": ({ sources }, caller, { sourceId }) => sources.run(caller, sourceId),

  "dealer.list": ({ dealers }, caller) => dealers.list(caller, {}),
  "dealer.read": ({ dealers }, caller, { dealerId }) => dealers.get(caller, dealerId),
  "dealer.create": ({ dealers }, caller) => dealers.create(caller, newDealerBody("Founded by a caller")),
  "dealer.update": ({ dealers }, caller, { dealerId }) =>
    dealers.update(caller, { id: dealerId, input: { phone: "503-555-0199" } }),
  "dealer.deactivate": ({ dealers }, caller, { dealerId }) => dealers.deactivate(caller, dealerId),
  "dealer.inventory": ({ dealers }, caller, { dealerId }) => dealers.inventory(caller, { id: dealerId, query: {} }),
  "dealer.statistics": ({ dealers }, caller, { dealerId }) => dealers.statistics(caller, dealerId),
  "dealer.today": ({ today }, caller, { dealerId }) => today.ofDealer(caller, dealerId),
  "dealer.report": ({ reports }, caller, { dealerId }) => reports.ofDealer(caller, dealerId, {}),

  "key.list": ({ keys }, caller, { dealerId }) => keys.list(caller, { dealer_id: dealerId }),
  "key.export": ({ keys }, caller, { dealerId }) => keys.export(caller, { dealer_id: dealerId }),
  "key.read": ({ keys }, caller, { keyId }) => keys.get(caller, keyId),
  "key.create": ({ keys }, caller, { dealerId }) => keys.create(caller, newKeyBody({ dealer_id: dealerId })),
  "key.update": ({ keys }, caller, { keyId }) => keys.update(caller, keyId, { name: "Renamed" }),
  "key.revoke": ({ keys }, caller, { keyId }) => keys.revoke(caller, keyId),
  "key.rotate": ({ keys }, caller, { keyId }) => keys.rotate(caller, keyId, {}),
  "key.end-grace": ({ keys }, caller, { keyId }) => keys.endGrace(caller, keyId),
  "key.grant": ({ keys }, caller, { keyId }) => keys.grant(caller, keyId, PAIR),
  "key.withdraw": ({ keys }, caller, { keyId }) => keys.withdraw(caller, keyId, PAIR),
  "key.usage": ({ usage }, caller, { keyId }) => usage.read(caller, keyId, {}),
  "key.delete": ({ keys }, caller, { keyId }) => keys.remove(caller, keyId),
  "key.me": ({ me }, caller, { keyId }) =>
    me({ ...caller, keyId }, { address: "", limits: { per_minute: 1, remaining: 0, reset_seconds: 1 } }),

  "user.list": ({ users }, caller, { dealerId }) => users.list(caller, { dealer_id: dealerId }),
  "user.read": ({ users }, caller, { userId }) => users.get(caller, userId),
  "user.create": ({ users }, caller, { dealerId }) =>
    users.create(caller, newUserBody(`made-${++emails}@harbor.example.com`, { dealer_id: dealerId })),
  "user.update": ({ users }, caller, { userId }) => users.update(caller, userId, { name: "Renamed" }),
  "user.deactivate": ({ users }, caller, { userId }) => users.deactivate(caller, userId),
  "user.invite": ({ accounts }, caller, { userId }) => accounts.invite(caller, userId, (token) => token),
  "user.account": ({ accounts }, caller, { userId }) => accounts.state(caller, userId),
  "user.sessions": ({ accounts }, caller, { userId }) => accounts.sessions(caller, userId),
  "user.end-sessions": ({ accounts }, caller, { userId }) => accounts.endSessions(caller, userId, "all"),
  "user.reset-second-factor": ({ accounts }, caller, { userId }) => accounts.resetSecondFactor(caller, userId),
  "user.leave": ({ leaving }, caller, { userId }) => leaving.leave(caller, userId, { keys: "revoke" }),
  "user.left": ({ leaving }, caller, { userId }) => leaving.read(caller, userId),
  "user.return": async ({ leaving }, caller, { userId }) => {
    await leaving.leave(caller, userId, { keys: "revoke" });
    return leaving.undo(caller, userId);
  },

  "overview.read": ({ overview }, caller) => overview.read(caller),

  "import.create": async ({ imports }, caller, { dealerId }) => {
    const arrived = await imports.receive(caller, { dealer_id: dealerId }, uploadOf("VIN,Make\n1,Toyota\n"));
    return arrived instanceof Failure ? arrived : imports.start(caller, arrived);
  },
  "import.list": ({ imports }, caller, { dealerId }) => imports.list(caller, { dealer_id: dealerId }),
  "import.read": ({ imports }, caller, { importId }) => imports.get(caller, importId),
  "import.rows": ({ imports }, caller, { importId }) => imports.rows(caller, importId, {}),
  "import.errors": ({ imports }, caller, { importId }) => imports.failedRows(caller, importId),
  "import.mend": ({ mending }, caller, { importId }) =>
    mending.mend(caller, importId, { rows: [{ row: 1, cells: {} }] }),
  "import.run": ({ imports }, caller, { importId }) => imports.run(caller, importId),
  "import.confirm": ({ imports }, caller, { waitingImportId }) =>
    imports.confirm(caller, waitingImportId, { missing: 0 }),
  "import.cancel": ({ imports }, caller, { importId }) => imports.cancel(caller, importId),
  "import.delete": ({ imports }, caller, { importId }) => imports.remove(caller, importId),
  "mapping.create": ({ mappings }, caller, { dealerId }) =>
    mappings.create(caller, { name: "Nightly", dealer_id: dealerId, columns: {} }),
  "mapping.list": ({ mappings }, caller, { dealerId }) => mappings.list(caller, { dealer_id: dealerId }),
  "mapping.read": ({ mappings }, caller, { mappingId }) => mappings.get(caller, mappingId),
  "mapping.update": ({ mappings }, caller, { mappingId }) => mappings.update(caller, mappingId, { name: "Weekly" }),
  "mapping.delete": ({ mappings }, caller, { mappingId }) => mappings.remove(caller, mappingId),
  "feed.create": ({ feeds }, caller, { dealerId }) => feeds.create(caller, newFeedBody(dealerId)),
  "feed.list": ({ feeds }, caller) => feeds.list(caller, {}),
  "feed.read": ({ feeds }, caller, { feedId }) => feeds.get(caller, feedId),
  "feed.update": ({ feeds }, caller, { feedId }) => feeds.update(caller, { id: feedId, input: { name: "Renamed" } }),
  "feed.rotate": ({ feeds }, caller, { feedId }) => feeds.rotate(caller, feedId, undefined),
  "feed.release": ({ feeds }, caller, { feedId }) => feeds.release(caller, feedId),
  "feed.preview": ({ inspections }, caller, { feedId }) => inspections.preview(caller, feedId, {}),
  "feed.readiness": ({ inspections }, caller, { feedId }) => inspections.readiness(caller, feedId),
  "feed.findings": ({ inspections }, caller, { feedId }) => inspections.findings(caller, feedId, {}),
  "feed.delete": ({ feeds }, caller, { feedId }) => feeds.remove(caller, feedId),

  "webhook.create": ({ webhooks }, caller, { dealerId }) => webhooks.create(caller, newWebhookBody(dealerId)),
  "webhook.list": ({ webhooks }, caller) => webhooks.list(caller, {}),
  "webhook.read": ({ webhooks }, caller, { webhookId }) => webhooks.get(caller, webhookId),
  "webhook.update": ({ webhooks }, caller, { webhookId }) => webhooks.update(caller, webhookId, { max_per_second: 3 }),
  "webhook.rotate": ({ webhooks }, caller, { webhookId }) => webhooks.rotate(caller, webhookId, undefined),
  "webhook.enable": ({ webhooks }, caller, { webhookId }) => webhooks.enable(caller, webhookId),
  "webhook.test": ({ webhooks }, caller, { webhookId }) => webhooks.test(caller, webhookId),
  "webhook.recover": ({ webhooks, clock }, caller, { webhookId }) =>
    webhooks.recover(caller, webhookId, { since: clock.now() }),
  "webhook.deliveries": ({ webhooks }, caller, { webhookId }) => webhooks.deliveries(caller, webhookId, {}),
  "webhook.redeliver": ({ webhooks }, caller, { webhookId, deliveryId }) =>
    webhooks.redeliver(caller, webhookId, deliveryId),
  "webhook.delete": ({ webhooks }, caller, { webhookId }) => webhooks.remove(caller, webhookId),

  "report.read": ({ reports }, caller) => reports.overall(caller, {}),

  "settings.read": ({ settings }, caller) => settings.read(caller),
  "settings.update": ({ settings }, caller) => settings.update(caller, { input: { currency: "EUR" } }),

  "audit.list": ({ audit }, caller) => audit.list(caller, {}),
  "audit.export": ({ audit }, caller) => audit.export(caller, {}),
};

/** A body that no operation accepts. */
const MISSPELT = { pirce: 1 };

/** An attempt with an invalid body, for every operation that takes one. */
export const INVALID_ATTEMPTS: Readonly<Partial<Record<Operation, Attempt>>> = {
  "vehicle.create": ({ vehicles }, caller) => vehicles.create(caller, MISSPELT),
  "vehicle.update": ({ vehicles }, caller, { vehicleId }) =>
    vehicles.update(caller, { id: vehicleId, input: MISSPELT }),
  "vehicle.set-sale": ({ sales }, caller, { vehicleId }) => sales.update(caller, vehicleId, MISSPELT),
  "vehicle.bulk": ({ bulk }, caller) => bulk.change(caller, { input: MISSPELT, mayGoOn: () => true }),
  "vehicle.batch": ({ batches }, caller) => batches.write(caller, { input: MISSPELT, mayGoOn: () => true }),
  "schedule.create": ({ scheduledChanges }, caller) => scheduledChanges.create(caller, MISSPELT),
  "image.add": ({ images }, caller, { vehicleId }) => images.add(caller, vehicleId, MISSPELT),
  "image.update": ({ images }, caller, { vehicleId, imageId }) =>
    images.update(caller, { vehicleId, imageId, input: MISSPELT }),
  "image.reorder": ({ images }, caller, { vehicleId }) => images.reorder(caller, vehicleId, MISSPELT),
  "source.create": ({ sources }, caller) => sources.create(caller, MISSPELT),
  "source.update": ({ sources }, caller, { sourceId }) => sources.update(caller, sourceId, MISSPELT),
  "dealer.create": ({ dealers }, caller) => dealers.create(caller, MISSPELT),
  "dealer.update": ({ dealers }, caller, { dealerId }) => dealers.update(caller, { id: dealerId, input: MISSPELT }),
  "key.create": ({ keys }, caller) => keys.create(caller, MISSPELT),
  "key.update": ({ keys }, caller, { keyId }) => keys.update(caller, keyId, MISSPELT),
  "key.rotate": ({ keys }, caller, { keyId }) => keys.rotate(caller, keyId, MISSPELT),
  "settings.update": ({ settings }, caller) => settings.update(caller, { input: MISSPELT }),
  "import.confirm": ({ imports }, caller, { waitingImportId }) => imports.confirm(caller, waitingImportId, MISSPELT),
  "import.mend": ({ mending }, caller, { importId }) => mending.mend(caller, importId, MISSPELT),
  "mapping.create": ({ mappings }, caller) => mappings.create(caller, MISSPELT),
  "mapping.update": ({ mappings }, caller, { mappingId }) => mappings.update(caller, mappingId, MISSPELT),
  "feed.create": ({ feeds }, caller) => feeds.create(caller, MISSPELT),
  "feed.update": ({ feeds }, caller, { feedId }) => feeds.update(caller, { id: feedId, input: MISSPELT }),
  "feed.rotate": ({ feeds }, caller, { feedId }) => feeds.rotate(caller, feedId, MISSPELT),
  "webhook.create": ({ webhooks }, caller) => webhooks.create(caller, MISSPELT),
  "webhook.update": ({ webhooks }, caller, { webhookId }) => webhooks.update(caller, webhookId, MISSPELT),
  "webhook.rotate": ({ webhooks }, caller, { webhookId }) => webhooks.rotate(caller, webhookId, MISSPELT),
  "webhook.recover": ({ webhooks }, caller, { webhookId }) => webhooks.recover(caller, webhookId, MISSPELT),
  "user.create": ({ users }, caller) => users.create(caller, MISSPELT),
  "user.update": ({ users }, caller, { userId }) => users.update(caller, userId, MISSPELT),
  "user.leave": ({ leaving }, caller, { userId }) => leaving.leave(caller, userId, { keys: "revoke", ...MISSPELT }),
};
