import type { Engine, Migration } from "./migration.ts";

const WORDS = {
  sqlite: {
    integer: "INTEGER",
    text: "TEXT",
    end: "STRICT",
    byKey: "STRICT, WITHOUT ROWID",
    chance: "lower(hex(randomblob(16)))",
  },
  postgres: {
    integer: "BIGINT",
    text: 'TEXT COLLATE "C"',
    end: "",
    byKey: "",
    chance: "replace(CAST(gen_random_uuid() AS TEXT), '-', '')",
  },
} as const satisfies Record<Engine, Record<string, string>>;

/** Conditions and expressions on the stored address of a photo: `photo:<account_hash>/<image_id>/<variant>`. */
const isPhoto = (row: string): string => `substr(${row}.image_url, 1, 6) = 'photo:'`;
const idIn = (row: string): string => `substr(${row}.image_url, 40, 32)`;

const tables = (engine: Engine): string[] => {
  const { integer, text, end, byKey } = WORDS[engine];
  return [
    `ALTER TABLE vehicle_images ADD COLUMN alt ${text}`,
    `ALTER TABLE vehicle_images ADD COLUMN width ${integer}`,
    `ALTER TABLE vehicle_images ADD COLUMN height ${integer}`,
    `ALTER TABLE vehicle_images ADD COLUMN placeholder ${text}`,
    `CREATE TABLE photos (
      photo_id ${text} NOT NULL PRIMARY KEY,
      dealer_id ${integer} NOT NULL,
      sha256 ${text} NOT NULL,
      width ${integer} NOT NULL,
      height ${integer} NOT NULL,
      placeholder ${text} NOT NULL,
      bytes ${integer} NOT NULL,
      files ${text} NOT NULL,
      created_at ${text} NOT NULL,
      gone ${integer} NOT NULL DEFAULT 0 CHECK (gone IN (0, 1))
    ) ${end}`,
    "CREATE INDEX photos_of_dealer ON photos (dealer_id, bytes)",
    "CREATE INDEX gone_photos ON photos (photo_id) WHERE gone = 1",
    `CREATE TABLE photo_accounts (
      dealer_id ${integer} NOT NULL PRIMARY KEY,
      account_hash ${text} NOT NULL UNIQUE
    ) ${end}`,
    `CREATE TABLE released_photos (
      photo_id ${text} NOT NULL,
      vehicle_id ${integer} NOT NULL,
      held ${integer} NOT NULL DEFAULT 0 CHECK (held IN (0, 1)),
      PRIMARY KEY (photo_id, vehicle_id)
    ) ${byKey}`,
    "CREATE INDEX released_photos_of_vehicle ON released_photos (vehicle_id)",
    "CREATE INDEX released_photos_to_sweep ON released_photos (photo_id) WHERE held = 0",
  ];
};

const released = `INSERT INTO released_photos (photo_id, vehicle_id, held) VALUES (${idIn("old")}, old.vehicle_id, 0)
  ON CONFLICT (photo_id, vehicle_id) DO UPDATE SET held = 0;`;

/** A vehicle's photos get the account of its new dealer. */
const moved = (engine: Engine): string => `
  INSERT INTO photo_accounts (dealer_id, account_hash)
    SELECT new.dealer_id, ${WORDS[engine].chance} WHERE EXISTS (SELECT 1 FROM vehicle_images AS own WHERE own.vehicle_id = new.id AND ${isPhoto("own")})
    ON CONFLICT DO NOTHING;
  UPDATE photos SET dealer_id = new.dealer_id WHERE photo_id IN
    (SELECT ${idIn("own")} FROM vehicle_images AS own WHERE own.vehicle_id = new.id AND ${isPhoto("own")});
  UPDATE vehicle_images SET image_url = 'photo:' || (SELECT account_hash FROM photo_accounts WHERE dealer_id = new.dealer_id)
      || substr(image_url, 39)
    WHERE vehicle_id = new.id AND ${isPhoto("vehicle_images")};`;

/** Each is a trigger: its name, its event, its condition and what it does. */
const triggersOf = (
  engine: Engine,
): readonly (readonly [name: string, event: string, when: string, work: string])[] => [
  ["photo_removed", "AFTER DELETE ON vehicle_images", isPhoto("old"), released],
  [
    "photo_replaced",
    "AFTER UPDATE OF image_url ON vehicle_images",
    `${isPhoto("old")} AND ${idIn("old")} <> ${idIn("new")}`,
    released,
  ],
  [
    "photos_forgotten",
    "AFTER DELETE ON removed_vehicles",
    "old.id > 0",
    "UPDATE released_photos SET held = 0 WHERE vehicle_id = old.id AND held = 1;",
  ],
  ["photos_moved", "AFTER UPDATE OF dealer_id ON vehicles", "old.dealer_id <> new.dealer_id", moved(engine)],
];

const triggers = (engine: Engine): string[] =>
  triggersOf(engine).flatMap(([name, event, when, work]) =>
    engine === "sqlite"
      ? [`CREATE TRIGGER ${name} ${event} WHEN ${when} BEGIN ${work} END`]
      : [
          `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${work} RETURN NULL; END $$`,
          `CREATE TRIGGER ${name} ${event} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION ${name}()`,
        ],
  );

/**
 * Photos that the service holds. Whatever removes an image, also an instance of an earlier version, notes its photo in
 * `released_photos`; the sweep decides whether anything still needs it.
 */
export const photos: Migration = {
  name: "0048-photos",
  statements: (engine) => [...tables(engine), ...triggers(engine)],
  indexes: () => [
    {
      name: "images_of_photo",
      on: "vehicle_images (substr(image_url, 40, 32)) WHERE substr(image_url, 1, 6) = 'photo:'",
    },
  ],
};
