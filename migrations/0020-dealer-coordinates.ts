import type { Engine, Migration } from "./migration.ts";

const NUMBER: Readonly<Record<Engine, string>> = { sqlite: "REAL", postgres: "DOUBLE PRECISION" };

/**
 * The coordinates of a dealer in degrees, if somebody has set them. Otherwise the location is derived from the ZIP
 * code.
 */
export const dealerCoordinates: Migration = {
  name: "0020-dealer-coordinates",
  statements: (engine) =>
    ["latitude", "longitude"].map((name) => `ALTER TABLE dealers ADD COLUMN ${name} ${NUMBER[engine]}`),
};
