import type { Engine, Migration } from "./migration.ts";

const NUMBER: Readonly<Record<Engine, string>> = { sqlite: "REAL", postgres: "DOUBLE PRECISION" };

/** Where a dealer is, in degrees, if somebody has said so; otherwise it follows from the dealer's ZIP code. */
export const dealerCoordinates: Migration = {
  name: "0020-dealer-coordinates",
  statements: (engine) =>
    ["latitude", "longitude"].map((name) => `ALTER TABLE dealers ADD COLUMN ${name} ${NUMBER[engine]}`),
};
