import { sql } from "kysely";
import type { DealerScope } from "../../../core/access/decide.ts";
import type { Timestamp } from "../../../core/clock.ts";
import type { VehicleRepository } from "../../../core/vehicles/vehicle-repository.ts";
import { SEARCHED_FIELDS } from "../../../core/vehicles/vehicle-words.ts";
import {
  type AuditedChange,
  auditColumnsOfUpdate,
  auditedUpdate,
  type Completion,
  joinOfPrevious,
  type Writes,
} from "../audit/audited-change.ts";
import { entryFields } from "../audit/entry-fields.ts";
import { type AuditContext, changeActorOf } from "../audit/trail.ts";
import type { SqlDatabase } from "../query/database.ts";
import { type Param, param, params, shapeCache } from "../query/statement.ts";
import { versionsIn, versionValues } from "../query/versions.ts";
import { vehicleSpellings } from "../search/spellings.ts";
import type { VehicleWords } from "../search/vehicle-words.ts";
import { vehicleColumnsOf, vehicleFields } from "./columns.ts";
import { derivedChanges } from "./derived-changes.ts";
import { vehicleDuplicates } from "./duplicates.ts";
import { vehicleInsertion } from "./insertion.ts";
import { recordOf, type VehicleRow } from "./records.ts";
import { catchingRefusal } from "./refusal.ts";
import { soldPriceEntry } from "./sold-price.ts";

/** The values of an update besides those of the columns that it sets. */
type UpdateValues = { now: Timestamp; id: number; scope: DealerScope; changed_by: string | null };
const of: Param<UpdateValues> = param;

/**
 * Inserts and updates vehicles; see the port for what it guarantees. `writes` is a database, which gives each change a
 * transaction of its own, or a transaction that has begun.
 */
export const vehicleChanges = (
  db: SqlDatabase,
  words: VehicleWords,
): ((writes: Writes) => Pick<VehicleRepository, "insert" | "insertCompared" | "update">) => {
  const fields = vehicleFields(db);
  // SQLite's RETURNING runs before the AFTER triggers that store the document, so the document is built here.
  const changedDocument = db.engine === "sqlite" ? db.jsonObject(fields) : sql.ref<string>("document");
  const joined = joinOfPrevious(db);
  const inserted = vehicleInsertion(db, words);
  const updates = shapeCache<AuditedChange<VehicleRow>>();
  const enterSoldPrice = soldPriceEntry(db);
  const spellings = vehicleSpellings(db);
  const duplicates = vehicleDuplicates(db);

  return (writes) => ({
    ...inserted(writes),

    update({ id, scope, changes: { sold_price: price, undo_sale, ...changes }, now, versions, unique = [], by }) {
      const set = vehicleColumnsOf(changes);
      const names = Object.keys(set).sort();
      const isStanding = undo_sale === false;
      const isNarrowed = scope !== null;
      const change = updates(`${names.join()} ${isNarrowed} ${versions?.length} ${isStanding}`, () => {
        const before = Object.fromEntries(Object.entries(fields).filter(([name]) => name in changes));
        const moment = db.nextTimestamp("updated_at", of("now"));
        // It locks the vehicle, so that the update need not ask for its version again.
        const past = db
          .selectFrom("vehicles")
          .select([
            ...auditColumnsOfUpdate("vehicle.changed", names),
            "dealer_id as owner_id",
            db.jsonObject(before).as("before"),
          ])
          .where("id", "=", of("id"))
          .$if(isNarrowed, (query) => query.where("dealer_id", "=", of("scope")))
          .$if(versions !== null, (query) => query.where(versionsIn(versions ?? [])))
          .modifyEnd(db.forUpdate);
        const update = db
          .updateTable("vehicles")
          .set({
            ...derivedChanges(names, moment, of("changed_by")),
            ...params(names),
            ...(isStanding && { returned_at: moment }),
            updated_at: moment,
          })
          .$if(joined.isJoined, (query) => query.from(joined.source))
          .where("id", "=", of("id"))
          .$if(isNarrowed, (query) => query.where("dealer_id", "=", of("scope")))
          .returning(["updated_at", changedDocument.as("document")]);
        return auditedUpdate(db, { past }, update);
      });
      const known = { now, id, scope, changed_by: changeActorOf(by) } satisfies UpdateValues;
      const values = { ...set, ...known, ...versionValues(versions ?? []) };
      const context: AuditContext = {
        at: now,
        by,
        resource: "vehicles",
        after: entryFields(changes),
        ...(by.change !== undefined && {
          fields: [...Object.keys(changes), ...(price === undefined ? [] : ["sold_price"])],
        }),
      };
      const isSearched = SEARCHED_FIELDS.some((field) => field in changes);
      const found = spellings.newIn(changes);
      const isMore = isSearched || found !== null || unique.length > 0 || price !== undefined;
      const complete: Completion<VehicleRow> = async (tx) => {
        await found?.add(tx);
        if (unique.length > 0) await duplicates.refuse(tx, id, unique);
        if (isSearched) await words.keep(tx, id);
        if (price !== undefined) await enterSoldPrice(tx, { vehicleId: id, price, now, by });
      };
      return catchingRefusal(db, async () => {
        const [row] = await change(writes, { values, context, complete: isMore ? complete : undefined });
        if (row !== undefined) found?.added();
        return recordOf(id, row);
      });
    },
  });
};
