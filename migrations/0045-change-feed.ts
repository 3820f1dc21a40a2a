import type { Engine, Migration } from "./migration.ts";

/** The kinds of records, in the order in which a copy needs them. */
const KIND = { dealer: 1, vehicle: 2, image: 3 } as const;

/**
 * What became of a record at a dealer: it is there, it is gone, or it moved to another dealer. An image that went the
 * same way together with its vehicle is told apart, as the vehicle says it already.
 */
const STATE = { present: 0, gone: 1, moved: 2, goneWithVehicle: 3, movedWithVehicle: 4 } as const;

const NOW: Readonly<Record<Engine, string>> = {
  sqlite: "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')",
  postgres: `to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
};

/** The last change of one record at one dealer. */
interface Change {
  readonly kind: keyof typeof KIND;
  readonly id: string;
  readonly dealer: string;
  readonly state: number | string;
  readonly at: string;
}

const COLUMNS = "changed_records (kind, id, dealer_id, state, at)";
/** The later change of a record replaces the one before, and gets the next number. */
const LATEST = `ON CONFLICT (kind, id, dealer_id) DO UPDATE SET state = excluded.state, at = excluded.at,
  tx = excluded.tx, number = excluded.number`;

/**
 * On PostgreSQL, the images of a transaction come behind everything else of it: a statement that inserts both may insert them
 * first. On SQLite the service inserts vehicles first.
 */
const IMAGE_COLUMNS = "changed_records (kind, id, dealer_id, state, at, number)";
const IMAGE_NUMBER = "4503599627370496 + nextval('changed_records_number')";

/**
 * On SQLite, REPLACE costs less than DELETE and INSERT. What a statement itself says of conflicts (INSERT OR, UPDATE OR, ON
 * CONFLICT) applies in its triggers instead; so no statement on these tables may say anything of them.
 */
const noted = (engine: Engine, { kind, id, dealer, state, at }: Change): string => {
  const values = `${KIND[kind]}, ${id}, ${dealer}, ${state}, ${at}`;
  return engine === "postgres"
    ? `INSERT INTO ${COLUMNS} VALUES (${values}) ${LATEST};`
    : `INSERT OR REPLACE INTO ${COLUMNS} VALUES (${values});`;
};

/** Notes the same of all images of a vehicle. */
const imagesNoted = (engine: Engine, vehicle: string, { dealer, state, at }: Omit<Change, "kind" | "id">): string => {
  const values = `${KIND.image}, id, ${dealer}, ${state}, ${at}`;
  const images = `FROM vehicle_images WHERE vehicle_id = ${vehicle} ORDER BY id`;
  return engine === "postgres"
    ? `INSERT INTO ${IMAGE_COLUMNS} SELECT ${values}, ${IMAGE_NUMBER} ${images} ${LATEST};`
    : `INSERT OR REPLACE INTO ${COLUMNS} SELECT ${values} ${images};`;
};

/** What the triggers of each table note. */
const workOf = (engine: Engine) => {
  const now = NOW[engine];
  const vehicle = (row: "old" | "new", state: number, at = "new.updated_at"): string =>
    noted(engine, { kind: "vehicle", id: `${row}.id`, dealer: `${row}.dealer_id`, state, at });
  const images = (row: "old" | "new", state: number, at = "new.updated_at"): string =>
    imagesNoted(engine, `${row}.id`, { dealer: `${row}.dealer_id`, state, at });
  const removedAt = `COALESCE((SELECT created_at FROM removed_vehicles WHERE id = old.id), ${now})`;
  const dealer = (row: "old" | "new", state: number | string, at: string): string =>
    noted(engine, { kind: "dealer", id: `${row}.id`, dealer: `${row}.id`, state, at });
  const dealerNow = dealer(
    "new",
    `CASE WHEN new.active = 1 THEN ${STATE.present} ELSE ${STATE.gone} END`,
    "new.updated_at",
  );
  return {
    vehicleStays: vehicle("new", STATE.present),
    vehicleMoves: [
      vehicle("old", STATE.moved),
      images("old", STATE.movedWithVehicle),
      vehicle("new", STATE.present),
      images("new", STATE.present),
    ].join(" "),
    // Its images are deleted after it, when nothing tells their dealer any more.
    vehicleGoes: [vehicle("old", STATE.gone, removedAt), images("old", STATE.goneWithVehicle, removedAt)].join(" "),
    dealerStays: dealerNow,
    dealerGoes: dealer("old", STATE.gone, now),
    image(row: "old" | "new", state: number): string {
      const values = `${KIND.image}, ${row}.id, dealer_id, ${state}, ${now}`;
      const found = `FROM vehicles WHERE id = ${row}.vehicle_id`;
      return engine === "postgres"
        ? `INSERT INTO ${IMAGE_COLUMNS} SELECT ${values}, ${IMAGE_NUMBER} ${found} ${LATEST};`
        : `INSERT OR REPLACE INTO ${COLUMNS} SELECT ${values} ${found};`;
    },
  };
};

const sqlite = (): string[] => {
  const work = workOf("sqlite");
  const trigger = (name: string, event: string, does: string): string =>
    `CREATE TRIGGER ${name} ${event} BEGIN ${does} END`;
  return [
    // Numbers are never used twice, so that no change hides behind a number that was read already.
    `CREATE TABLE changed_records (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      kind INTEGER NOT NULL,
      id INTEGER NOT NULL,
      dealer_id INTEGER NOT NULL,
      state INTEGER NOT NULL,
      at TEXT NOT NULL,
      UNIQUE (kind, id, dealer_id)
    ) STRICT`,
    "CREATE INDEX changed_records_of_dealer ON changed_records (dealer_id)",
    "CREATE TABLE change_numbering (id INTEGER PRIMARY KEY CHECK (id = 1), name TEXT NOT NULL) STRICT",
    "INSERT INTO change_numbering (id, name) VALUES (1, lower(hex(randomblob(6))))",
    trigger("vehicle_change_made", "AFTER INSERT ON vehicles", work.vehicleStays),
    trigger("vehicle_change_noted", "AFTER UPDATE ON vehicles WHEN old.dealer_id = new.dealer_id", work.vehicleStays),
    trigger("vehicle_move_noted", "AFTER UPDATE ON vehicles WHEN old.dealer_id <> new.dealer_id", work.vehicleMoves),
    trigger("vehicle_end_noted", "BEFORE DELETE ON vehicles", work.vehicleGoes),
    trigger("image_change_made", "AFTER INSERT ON vehicle_images", work.image("new", STATE.present)),
    trigger("image_change_noted", "AFTER UPDATE ON vehicle_images", work.image("new", STATE.present)),
    trigger("image_end_noted", "AFTER DELETE ON vehicle_images", work.image("old", STATE.gone)),
    trigger("dealer_change_made", "AFTER INSERT ON dealers", work.dealerStays),
    trigger("dealer_change_noted", "AFTER UPDATE ON dealers", work.dealerStays),
    trigger("dealer_end_noted", "AFTER DELETE ON dealers", work.dealerGoes),
  ];
};

const EACH = "FOR EACH ROW";
const STAYS = `${EACH} WHEN (old.dealer_id = new.dealer_id)`;
const MOVES = `${EACH} WHEN (old.dealer_id <> new.dealer_id)`;

const postgres = (): string[] => {
  const work = workOf("postgres");
  const made = (name: string, does: string): string =>
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${does} END $$`;
  const trigger = (name: string, event: string, runs: string): string =>
    `CREATE TRIGGER ${name} ${event} EXECUTE FUNCTION ${runs}()`;
  return [
    "CREATE SEQUENCE changed_records_number",
    // The triggers use it for whoever may change the tables.
    "GRANT USAGE ON SEQUENCE changed_records_number TO PUBLIC",
    // Numbers become visible in another order than they were taken. The number of the transaction says which changes
    // may still be outstanding.
    `CREATE TABLE changed_records (
      kind SMALLINT NOT NULL,
      id BIGINT NOT NULL,
      dealer_id BIGINT NOT NULL,
      state SMALLINT NOT NULL,
      tx BIGINT NOT NULL DEFAULT pg_current_xact_id()::text::bigint,
      number BIGINT NOT NULL DEFAULT nextval('changed_records_number'),
      at TEXT COLLATE "C" NOT NULL,
      PRIMARY KEY (kind, id, dealer_id)
    )`,
    "CREATE INDEX changed_records_in_order ON changed_records (tx, number)",
    "CREATE INDEX changed_records_of_dealer ON changed_records (dealer_id, tx, number)",
    "CREATE TABLE change_numbering (id BIGINT PRIMARY KEY CHECK (id = 1), name TEXT NOT NULL)",
    "INSERT INTO change_numbering (id, name) VALUES (1, substr(md5(gen_random_uuid()::text), 1, 12))",
    made("note_vehicle_change", `${work.vehicleStays} RETURN NULL;`),
    made("note_vehicle_move", `${work.vehicleMoves} RETURN NULL;`),
    made("note_vehicle_end", `${work.vehicleGoes} RETURN old;`),
    made("note_image_change", `${work.image("new", STATE.present)} RETURN NULL;`),
    made("note_image_end", `${work.image("old", STATE.gone)} RETURN NULL;`),
    made("note_dealer_change", `${work.dealerStays} RETURN NULL;`),
    made("note_dealer_end", `${work.dealerGoes} RETURN NULL;`),
    trigger("vehicle_change_made", `AFTER INSERT ON vehicles ${EACH}`, "note_vehicle_change"),
    trigger("vehicle_change_noted", `AFTER UPDATE ON vehicles ${STAYS}`, "note_vehicle_change"),
    trigger("vehicle_move_noted", `AFTER UPDATE ON vehicles ${MOVES}`, "note_vehicle_move"),
    trigger("vehicle_end_noted", `BEFORE DELETE ON vehicles ${EACH}`, "note_vehicle_end"),
    trigger("image_change_noted", `AFTER INSERT OR UPDATE ON vehicle_images ${EACH}`, "note_image_change"),
    trigger("image_end_noted", `AFTER DELETE ON vehicle_images ${EACH}`, "note_image_end"),
    trigger("dealer_change_noted", `AFTER INSERT OR UPDATE ON dealers ${EACH}`, "note_dealer_change"),
    trigger("dealer_end_noted", `AFTER DELETE ON dealers ${EACH}`, "note_dealer_end"),
  ];
};

/**
 * The last change of each record at each dealer, in the order in which copies read them. Triggers write it in the change's own
 * transaction, whoever makes the change, an instance of the version before included. Records that were there before have no
 * row until they change: a copy begins with the records themselves.
 */
export const changeFeed: Migration = {
  name: "0045-change-feed",
  statements: (engine) => [
    ...(engine === "sqlite" ? sqlite() : postgres()),
    `CREATE INDEX changed_records_ended ON changed_records (at) WHERE state > ${STATE.present}`,
  ],
};
