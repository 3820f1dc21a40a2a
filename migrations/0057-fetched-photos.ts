import type { Engine, Migration } from "./migration.ts";

const WORDS = {
  sqlite: { integer: "INTEGER", text: "TEXT", end: "STRICT, WITHOUT ROWID" },
  postgres: { integer: "BIGINT", text: 'TEXT COLLATE "C"', end: "" },
} as const satisfies Record<Engine, Record<string, string>>;

/**
 * Photos of imports: which addresses wait to be fetched, and which photo a dealer has of an address. Addresses are too
 * long for the keys of an index, so that their hashes are the keys.
 */
export const fetchedPhotos: Migration = {
  name: "0057-fetched-photos",
  statements: (engine) => {
    const { integer, text, end } = WORDS[engine];
    return [
      `ALTER TABLE imports ADD COLUMN photos ${text}`,
      `CREATE TABLE fetched_photos (
        dealer_id ${integer} NOT NULL REFERENCES dealers (id) ON DELETE CASCADE,
        address_hash ${text} NOT NULL,
        photo_id ${text} NOT NULL REFERENCES photos (photo_id) ON DELETE CASCADE,
        PRIMARY KEY (dealer_id, address_hash)
      ) ${end}`,
      "CREATE INDEX fetched_photos_of_photo ON fetched_photos (photo_id)",
      `CREATE TABLE import_photos (
        import_id ${integer} NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
        place ${integer} NOT NULL,
        address_hash ${text} NOT NULL,
        dealer_id ${integer} NOT NULL,
        vehicle_id ${integer} NOT NULL,
        address ${text} NOT NULL,
        problem ${text},
        PRIMARY KEY (import_id, address_hash, place)
      ) ${end}`,
      "CREATE INDEX import_photos_waiting ON import_photos (import_id, place, address_hash) WHERE problem IS NULL",
    ];
  },
  indexes: () => [{ name: "photos_by_content", on: "photos (dealer_id, sha256)" }],
};
