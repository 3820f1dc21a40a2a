import { type RawBuilder, sql } from "kysely";
import type { Principal } from "../../../core/access/principal.ts";
import type { Action, FormerAction } from "../../../core/audit/actions.ts";
import { presentAction } from "../../../core/audit/actions.ts";
import type { Clock, Timestamp } from "../../../core/clock.ts";
import { mayBeTold, type Occurrence, occurrencesOf } from "../../../core/webhooks/event.ts";
import type { WebhookSigning } from "../../../core/webhooks/signing.ts";
import type { ReportedWebhook, StoredWebhook, WebhookWork } from "../../../core/webhooks/webhook-repository.ts";
import { currentPrincipalOf } from "../access/current-principals.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import { idsValue, isInIds } from "../query/slices.ts";
import { params, sqlStatement, statement } from "../query/statement.ts";
import type { NewRow, Row } from "../query/tables.ts";
import { QUEUED_COLUMNS, type QueuedColumns, queuedColumns, storedOf, WEBHOOK_COLUMNS } from "./stored.ts";
import { switchingOff } from "./switching-off.ts";

/** The number of queued changes that are taken at once. */
const CHANGES_AT_ONCE = 50;
/** A vehicle whose message would be larger is not sent along. */
const MAX_BODY_BYTES = 20_000;
/** The number of waiting messages at which a webhook is switched off. */
const MAX_WAITING = 100_000;

const ENTRY_COLUMNS = ["id", "action", "resource_id", "dealer_id", "before", "after", "created_at"] as const;
const FEED_COLUMNS = ["id", "name", "dealer_id", "held"] as const;
const TOLD_COLUMNS = [...WEBHOOK_COLUMNS, "actor_key_id", "actor_user_id"] as const;

/** What happened, with the webhook that alone is told; `null` for all. */
interface Found extends Occurrence {
  readonly source: string;
  readonly at: Timestamp;
  readonly only: number | null;
}

interface VehicleDocument {
  readonly id: number;
  readonly dealer_id: number;
  readonly document: string;
}

type Ids = { ids: string };
type VehiclesOfDealers = Ids & { dealers: string };

/** Some of these run for each change or message, the others for each turn. */
const statementsOf = (db: SqlDatabase) => {
  const skipLocked = db.engine === "postgres" ? sql`FOR UPDATE SKIP LOCKED` : sql``;
  const among = (dealers: RawBuilder<string>) =>
    sql`(SELECT wanted FROM ${db.jsonRows(dealers, { wanted: "integer" })} AS wanted_dealers)`;
  // They are found by their ids: an index of dealers would find all of a dealer's vehicles.
  const vehiclesIn = (table: "vehicle_documents" | "removed_vehicles") =>
    statement<VehiclesOfDealers, VehicleDocument>((param) =>
      db
        .selectFrom(table)
        .select(["id", "dealer_id", "document"])
        .where(isInIds(db))
        .where(sql<boolean>`+dealer_id IN ${among(param("dealers"))}`),
    );
  return {
    queued: sqlStatement<Pick<Row<"webhook_events">, "id" | "kind" | "subject_id" | "webhook_id">>(
      db,
      sql`SELECT id, kind, subject_id, webhook_id FROM webhook_events ORDER BY id
        LIMIT ${sql.lit(CHANGES_AT_ONCE)} ${skipLocked}`,
    ),
    taken: statement<Ids>(() => db.deleteFrom("webhook_events").where(isInIds(db))),
    entries: statement<Ids, Pick<Row<"audit_entries">, (typeof ENTRY_COLUMNS)[number]>>(() =>
      db.selectFrom("audit_entries").select(ENTRY_COLUMNS).where(isInIds(db)),
    ),
    feeds: statement<Ids, Pick<Row<"feeds">, (typeof FEED_COLUMNS)[number]>>(() =>
      db.selectFrom("feeds").select(FEED_COLUMNS).where(isInIds(db)),
    ),
    present: vehiclesIn("vehicle_documents"),
    removed: vehiclesIn("removed_vehicles"),
    // They are locked in the same order everywhere, before any of their messages.
    webhooks: statement<{ dealers: string }, Pick<Row<"webhooks">, (typeof TOLD_COLUMNS)[number]>>((param) =>
      db
        .selectFrom("webhooks")
        .select(TOLD_COLUMNS)
        .where("active", "=", 1)
        .where(sql<boolean>`(dealer_id IS NULL OR dealer_id IN ${among(param("dealers"))})`)
        .orderBy("id")
        .modifyEnd(db.forNoKeyUpdate),
    ),
    unsent: sqlStatement<{ id: number; body: string }, { webhook: number; vehicle: number }>(
      db,
      (param) => sql`SELECT id, body FROM webhook_deliveries
        WHERE webhook_id = ${param("webhook")} AND vehicle_id = ${param("vehicle")} AND state = 'pending' AND tries = 0
          AND owner IS NULL AND event = 'vehicle.updated' ORDER BY id LIMIT 1`,
    ),
    rewritten: sqlStatement<object, { id: number; body: string }>(
      db,
      (param) => sql`UPDATE webhook_deliveries SET body = ${param("body")} WHERE id = ${param("id")}`,
    ),
    insert: statement<QueuedColumns, { id: number }>(() =>
      db
        .insertInto("webhook_deliveries")
        .values(params(QUEUED_COLUMNS) satisfies NewRow<"webhook_deliveries">)
        .onConflict((conflict) => conflict.columns(["webhook_id", "source"]).doNothing())
        .returning("id"),
    ),
    wait: sqlStatement<object, { id: number; count: number; now: Timestamp }>(
      db,
      (param) => sql`UPDATE webhooks SET waiting = waiting + ${param("count")},
        due_at = CASE WHEN due_at < ${param("now")} THEN due_at ELSE ${param("now")} END WHERE id = ${param("id")}`,
    ),
  };
};

/** A key with its dealer. */
const keyIn = (tx: Tx, id: number) =>
  tx
    .selectFrom("api_keys")
    .leftJoin("dealer_keys", "dealer_keys.key_id", "api_keys.id")
    .leftJoin("users", "users.id", "api_keys.user_id")
    .select(["api_keys.id", "api_keys.name", "api_keys.expires_at"])
    .select(sql<number | null>`COALESCE(dealer_keys.dealer_id, users.dealer_id)`.as("dealer_id"))
    .where("api_keys.id", "=", id)
    .executeTakeFirst();

const fieldsIn = (json: string | null): Readonly<Record<string, unknown>> | null =>
  json === null ? null : JSON.parse(json);

/** Makes messages of queued changes; see `spread` of the port. */
export const changeSpreading = (
  db: SqlDatabase,
  { clock, signing }: { readonly clock: Clock; readonly signing: Pick<WebhookSigning, "newMessage"> },
): WebhookWork["spread"] => {
  const statements = statementsOf(db);
  const switchOff = switchingOff(db, clock);

  type Queued = Awaited<ReturnType<typeof queuedIn>>[number];
  const queuedIn = async (tx: Tx) => [...(await tx.all(statements.queued, {}))];

  const ids = (queued: readonly Queued[], kind: Queued["kind"]) =>
    idsValue(queued.filter((one) => one.kind === kind).map(({ subject_id }) => subject_id));

  /** What the queued changes are about, in their order. A change whose record is gone tells nothing. */
  const foundIn = async (tx: Tx, queued: readonly Queued[]): Promise<readonly Found[]> => {
    const entries = new Map(
      (await tx.all(statements.entries, { ids: ids(queued, "change") })).map((entry) => [entry.id, entry]),
    );
    const feeds = new Map(
      (await tx.all(statements.feeds, { ids: ids(queued, "held") })).map((feed) => [feed.id, feed]),
    );
    const found: Found[] = [];
    for (const { id, kind, subject_id, webhook_id: only } of queued) {
      if (kind === "change") {
        const entry = entries.get(subject_id);
        if (entry === undefined) continue;
        const change = {
          action: presentAction(entry.action as Action | FormerAction),
          resourceId: entry.resource_id,
          dealerId: entry.dealer_id,
          before: fieldsIn(entry.before),
          after: fieldsIn(entry.after),
        };
        for (const occurrence of occurrencesOf(change))
          found.push({ ...occurrence, source: `change ${entry.id} ${occurrence.event}`, at: entry.created_at, only });
        continue;
      }
      const record = kind === "held" ? feeds.get(subject_id) : await keyIn(tx, subject_id);
      if (record === undefined) continue;
      found.push({
        event: kind === "held" ? "feed.held" : "key.expiring",
        id: record.id,
        dealerId: record.dealer_id,
        told: "both",
        changed: [],
        vehicleId: null,
        more: "expires_at" in record ? { name: record.name, expires_at: record.expires_at } : { name: record.name },
        source: `${kind} ${id}`,
        at: clock.now(),
        only,
      });
    }
    return found;
  };

  /** The vehicles that are sent along, as they are now; a removed one as it was. */
  const vehiclesOf = async (
    tx: Tx,
    found: readonly Found[],
    dealers: string,
  ): Promise<ReadonlyMap<number, VehicleDocument>> => {
    const wanted = [...new Set(found.flatMap(({ vehicleId }) => vehicleId ?? []))];
    if (wanted.length === 0) return new Map();
    const value = { ids: idsValue(wanted), dealers };
    const rows = [...(await tx.all(statements.removed, value)), ...(await tx.all(statements.present, value))];
    return new Map(rows.map((row) => [row.id, row]));
  };

  const bodyOf = (one: Found, vehicle: VehicleDocument | null, changed: readonly string[]): string => {
    const shown = vehicle === null ? null : JSON.parse(vehicle.document);
    const version: Timestamp = shown?.updated_at > one.at ? shown.updated_at : one.at;
    const data = { id: one.id, dealer_id: one.dealerId, version, changed, ...one.more };
    const body = { type: one.event, timestamp: one.at, data: { ...data, vehicle: shown } };
    const text = JSON.stringify(body);
    return Buffer.byteLength(text) <= MAX_BODY_BYTES
      ? text
      : JSON.stringify({ ...body, data: { ...data, vehicle: null } });
  };

  /** Adds the change to an `updated` of the same vehicle that was not sent yet; false if there is none. */
  const isMerged = async (
    tx: Tx,
    webhook: number,
    { one, vehicle }: { readonly one: Found; readonly vehicle: VehicleDocument | null },
  ): Promise<boolean> => {
    if (one.event !== "vehicle.updated" || one.vehicleId === null) return false;
    const [unsent] = await tx.all(statements.unsent, { webhook, vehicle: one.vehicleId });
    if (unsent === undefined) return false;
    const { data } = JSON.parse(unsent.body) as { data: { changed: readonly string[] } };
    const body = bodyOf(one, vehicle, [...new Set([...data.changed, ...one.changed])]);
    await tx.all(statements.rewritten, { id: unsent.id, body });
    return true;
  };

  const isTold = (one: Found, { id, dealer_id }: { readonly id: number; readonly dealer_id: number | null }): boolean =>
    (one.only === null || one.only === id) &&
    (dealer_id === null ? one.told !== "dealer" : one.told !== "none" && dealer_id === one.dealerId);

  return (mayRead) =>
    db.write(async (tx) => {
      const now = clock.now();
      const queued = await queuedIn(tx);
      if (queued.length === 0) return { isMore: false, reported: [] };
      await tx.all(statements.taken, { ids: idsValue(queued.map(({ id }) => id)) });
      const found = await foundIn(tx, queued);
      const dealers = idsValue([...new Set(found.flatMap(({ dealerId }) => dealerId ?? []))]);
      const webhooks = await tx.all(statements.webhooks, { dealers });
      const vehicles = webhooks.length === 0 ? new Map() : await vehiclesOf(tx, found, dealers);
      const reported: ReportedWebhook[] = [];
      for (const row of webhooks) {
        const stored: StoredWebhook = storedOf(row);
        const told = found.filter((one) => stored.events.includes(one.event) && isTold(one, row));
        if (told.length === 0) continue;
        const maker: Principal | null = await currentPrincipalOf(
          tx,
          { keyId: row.actor_key_id, userId: row.actor_user_id },
          now,
        );
        if (maker === null || !mayRead(maker, stored)) {
          reported.push(await switchOff(tx, row, "rights_lost"));
          continue;
        }
        if (row.waiting >= MAX_WAITING) {
          reported.push(await switchOff(tx, row, "backlog"));
          continue;
        }
        let count = 0;
        for (const one of told) {
          if (!mayBeTold(maker, one.event)) continue;
          const document = one.vehicleId === null ? null : (vehicles.get(one.vehicleId) ?? null);
          // It may be another dealer's by now.
          const vehicle =
            document !== null && (row.dealer_id ?? document.dealer_id) === document.dealer_id ? document : null;
          if (await isMerged(tx, row.id, { one, vehicle })) continue;
          const message = {
            webhook_id: row.id,
            source: one.source,
            event: one.event,
            message: signing.newMessage(),
            vehicle_id: one.vehicleId,
            body: bodyOf(one, vehicle, one.changed),
          };
          count += (await tx.all(statements.insert, queuedColumns(message, now))).length;
        }
        if (count > 0) await tx.all(statements.wait, { id: row.id, count, now });
      }
      return { isMore: queued.length === CHANGES_AT_ONCE, reported };
    });
};
