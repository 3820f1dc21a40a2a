import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { tagOf } from "../adapters/http/versions.ts";
import type { Dataset } from "./data.ts";
import type { VehicleVersion } from "./workloads.ts";

/** Where one server runs: a folder of its own and a free port. */
export interface Place {
  readonly data: Dataset;
  readonly folder: string;
  readonly port: number;
}

/** A server to measure. To add one, add a record to CONTENDERS; it answers the service's paths. */
export interface Contender {
  readonly name: string;
  readonly description: string;
  /** The program with its arguments, started in the project's root. */
  readonly command: readonly string[];
  /** Gives the server a database of its own; returns the environment that tells it of database and port. */
  readonly environment: (place: Place) => Promise<Readonly<Record<string, string>>>;
  /** Headers of every request. */
  readonly headers: (data: Dataset) => Readonly<Record<string, string>>;
  /** Answers 200 once the server is ready. */
  readonly readyPath: string;
  /** The ETag of a vehicle. */
  readonly tag: (version: VehicleVersion) => string;
  /** Names of the workloads it has no answer to. */
  readonly lacks?: readonly string[];
}

const bun = process.execPath;

const copiedDatabase = async ({ data, folder }: Place): Promise<string> => {
  const file = join(folder, "inventory.db");
  await copyFile(data.file, file);
  return file;
};

const base = (name: string, description: string, program: string): Contender => ({
  name,
  description,
  command: [bun, program],
  environment: async (place) => ({ DATABASE_FILE: await copiedDatabase(place), PORT: String(place.port) }),
  headers: () => ({}),
  readyPath: "/api/vehicles/1",
  tag: ({ updatedAt }) => `"${updatedAt}"`,
});

/** What all others are compared with. */
export const BASE = "bare";

export const CONTENDERS: readonly Contender[] = [
  base(BASE, "bare Bun.serve on better-sqlite3, without authentication", "bench/bases/better-sqlite3.ts"),
  base("bare-bun-sqlite", "the same on bun:sqlite", "bench/bases/bun-sqlite.ts"),
  {
    name: "service",
    description: "this service as it ships, everything on",
    command: [bun, "app/main.ts"],
    environment: async (place) => ({
      DATABASE_URL: `sqlite:${await copiedDatabase(place)}`,
      HOST: "127.0.0.1",
      PORT: String(place.port),
    }),
    headers: ({ apiKey }) => ({ "x-api-key": apiKey }),
    readyPath: "/health/ready",
    tag: ({ id, updatedAt }) => tagOf(id, updatedAt),
  },
];
