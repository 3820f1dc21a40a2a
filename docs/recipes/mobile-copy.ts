/**
 * Keeps an app's copy of the vehicles and their photos in SQLite: everything at the first start, and from then on what
 * changed. Run it here with Node 22.18 or newer or with Bun; in an app, call `update` when it comes to the front:
 *
 *     SERVICE=http://localhost:3000 API_KEY=vis_mobile_... node mobile-copy.ts copy.db
 */
import { DatabaseSync } from "node:sqlite";
import { type CopyChange, type CopyPage, VehicleInventory } from "vehicle-inventory-client";

const { SERVICE = "", API_KEY = "" } = process.env;
const inventory = new VehicleInventory({ baseUrl: SERVICE, apiKey: API_KEY, appType: "mobile" });

const [file = "copy.db"] = process.argv.slice(2);
const copy = new DatabaseSync(file);
copy.exec(`
  PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS vehicles (id INTEGER PRIMARY KEY, document TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS images (id INTEGER PRIMARY KEY, vehicle_id INTEGER NOT NULL, document TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS images_by_vehicle ON images (vehicle_id);
  CREATE TABLE IF NOT EXISTS place (one INTEGER PRIMARY KEY CHECK (one = 1), cursor TEXT);
  INSERT OR IGNORE INTO place VALUES (1, NULL);
`);
const sql = {
  cursor: copy.prepare("SELECT cursor FROM place"),
  keepCursor: copy.prepare("UPDATE place SET cursor = ?"),
  putVehicle: copy.prepare("INSERT OR REPLACE INTO vehicles VALUES (?, ?)"),
  putImage: copy.prepare("INSERT OR REPLACE INTO images VALUES (?, ?, ?)"),
  removeVehicle: copy.prepare("DELETE FROM vehicles WHERE id = ?"),
  removeImagesOf: copy.prepare("DELETE FROM images WHERE vehicle_id = ?"),
  removeImage: copy.prepare("DELETE FROM images WHERE id = ?"),
  count: copy.prepare("SELECT count(*) AS vehicles FROM vehicles"),
};

/** Makes one change. Making it twice does no harm. */
const make = ({ kind, id, record }: CopyChange): void => {
  if (kind === "vehicle" && record !== null) sql.putVehicle.run(id, JSON.stringify(record));
  else if (kind === "image" && record !== null) sql.putImage.run(id, record.vehicle_id, JSON.stringify(record));
  else if (kind === "vehicle") {
    sql.removeVehicle.run(id);
    sql.removeImagesOf.run(id);
  } else if (kind === "image") sql.removeImage.run(id);
};

/** Makes the changes of a page and keeps its cursor in one transaction: wherever the app ends, the two agree. */
const take = ({ reset, changes, cursor }: CopyPage): void => {
  copy.exec("BEGIN IMMEDIATE");
  try {
    if (reset) copy.exec("DELETE FROM vehicles; DELETE FROM images");
    for (const change of changes) make(change);
    sql.keepCursor.run(cursor);
    copy.exec("COMMIT");
  } catch (error) {
    copy.exec("ROLLBACK");
    throw error;
  }
};

/** Brings the copy up to date, from where it is. Without the `break`, it would wait for the next change for ever. */
const update = async (): Promise<void> => {
  const { cursor } = sql.cursor.get() as { cursor: string | null };
  for await (const page of inventory.changes.follow({ after: cursor, kinds: ["vehicle", "image"] }).pages()) {
    take(page);
    if (!page.more) break;
  }
};

await update();
process.stdout.write(`${(sql.count.get() as { vehicles: number }).vehicles} vehicles\n`);
