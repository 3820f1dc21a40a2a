import { sql } from "kysely";
import type { DealerScope } from "../../../core/access/decide.ts";
import type { Actor } from "../../../core/access/principal.ts";
import type { Timestamp } from "../../../core/clock.ts";
import { IMAGE_FIELDS } from "../../../core/images/image.ts";
import { vehicleWords } from "../../../core/vehicles/vehicle-words.ts";
import { recordNameOf } from "../audit/audited-change.ts";
import { listedValues, listingQuery } from "../audit/change-list.ts";
import { entryFieldsIn } from "../audit/entry-fields.ts";
import { contextValues, entryQuery } from "../audit/trail.ts";
import { combinedChanges } from "../query/combined-changes.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, params, type Statement, shapeCache, statement } from "../query/statement.ts";
import type { NewRow } from "../query/tables.ts";
import { versionsIn, versionValues } from "../query/versions.ts";
import { INSERTED, vehicleFields } from "./columns.ts";

interface VehicleSnapshot {
  readonly record_name: string;
  readonly dealer_id: number;
  /** JSON: the vehicle as it is answered. */
  readonly document: string;
  /** JSON: the vehicle's row. */
  readonly vehicle: string;
}

/** A removal. The vehicle must be in scope; if versions are given, it must have one of them. */
export interface VehicleRemoval {
  readonly id: number;
  readonly scope: DealerScope;
  readonly versions: readonly Timestamp[] | null;
  readonly now: Timestamp;
  readonly by: Actor;
}

/**
 * Turns a vehicle with its images into a removed vehicle, within a transaction. Returns false if there is no such
 * vehicle.
 */
export const vehicleRemoval = (db: SqlDatabase): ((tx: Sql, removal: VehicleRemoval) => Promise<boolean>) => {
  const row = Object.fromEntries(["id", ...INSERTED].map((name) => [name, sql.ref(name)]));
  const image = Object.fromEntries(IMAGE_FIELDS.map((name) => [name, sql.ref(name)]));
  const images = sql<string>`(SELECT '[' || COALESCE(string_agg(${db.jsonObject(image)}, ',' ORDER BY id), '') || ']'
    FROM vehicle_images WHERE vehicle_id = ${param("id")})`;
  const found = shapeCache<Statement<VehicleSnapshot>>();
  const removedRow = {
    ...params([
      ...(["id", "dealer_id", "created_at", "document", "vehicle", "words"] as const),
      ...(["actor_key_id", "actor_user_id", "actor_name", "actor_dealer_id", "via"] as const),
    ]),
    images,
  } satisfies NewRow<"removed_vehicles"> & { readonly id: unknown };
  const moving = (isNarrowed: boolean, isListed: boolean) =>
    combinedChanges(
      db,
      db.insertInto("removed_vehicles").values(removedRow),
      db
        .deleteFrom("vehicles")
        .where("id", "=", param("id"))
        .$if(isNarrowed, (query) => query.where("dealer_id", "=", param("scope"))),
      entryQuery(db),
      ...(isListed ? [listingQuery(db)] : []),
    );
  const ofShape = shapeCache<ReturnType<typeof moving>>();

  return async (tx, { id, scope, versions, now, by }) => {
    const isNarrowed = scope !== null;
    // The vehicle is locked first. Adding an image locks the vehicle's row, too, so the next statement sees all of its
    // images.
    const locked = found(`${isNarrowed} ${versions?.length}`, () =>
      statement(() =>
        db
          .selectFrom("vehicles")
          .select([
            recordNameOf("vehicles").as("record_name"),
            "dealer_id",
            db.jsonObject(vehicleFields(db)).as("document"),
            db.jsonObject(row).as("vehicle"),
          ])
          .where("id", "=", param("id"))
          .$if(isNarrowed, (query) => query.where("dealer_id", "=", param("scope")))
          .$if(versions !== null, (query) => query.where(versionsIn(versions ?? [])))
          .modifyEnd(db.forUpdate),
      ),
    );
    const [present] = await tx.all(locked, { id, scope, ...versionValues(versions ?? []) });
    if (present === undefined) return false;
    const { document, vehicle, dealer_id, record_name } = present;
    const ofChange = listedValues({ by, resource: "vehicles" });
    const move = ofShape(`${isNarrowed} ${ofChange === null}`, () => moving(isNarrowed, ofChange !== null));
    await move(tx, {
      ...contextValues({ at: now, by, resource: "vehicles", after: null }),
      ...ofChange,
      action: "vehicle.removed",
      resource_id: id,
      record_name,
      dealer_id,
      before: entryFieldsIn(document),
      id,
      scope,
      document,
      vehicle,
      words: vehicleWords(JSON.parse(document)),
    });
    return true;
  };
};
