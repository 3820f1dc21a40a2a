import { dirname, join } from "node:path";
import type { BucketAccess } from "../adapters/photos/s3.ts";
import { ConfigError, type Environment } from "./config-error.ts";
import { wholeNumber } from "./config-values.ts";
import { fileOf } from "./database.ts";
import { databaseUrlOf, isPostgresUrl } from "./database-url.ts";

/** Where photos are kept. */
export type PhotoStorageConfig =
  | { readonly kind: "folder"; readonly folder: string }
  /** A folder that ends with the process, beside a database that does. */
  | { readonly kind: "temporary" }
  | { readonly kind: "bucket"; readonly access: BucketAccess }
  | { readonly kind: "off"; readonly reason: string };

/** The photos that the service holds. */
export interface PhotoConfig {
  readonly storage: PhotoStorageConfig;
  /** True if the addresses under the base are those of this service. */
  readonly isOwn: boolean;
  /** The mebibytes that the photos of a dealer may take; `null` for no limit. */
  readonly quotaMib: number | null;
}

const MAX_MIB = 999_999;
const EXAMPLE = "./data/images";
const BUCKET = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([^?#\s]*))?$/;
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
const REGION = /^[A-Za-z0-9-]{1,64}$/;

const ELSEWHERE =
  "No photos are taken here: IMAGE_DELIVERY_BASE names a delivery service elsewhere, and IMAGE_STORAGE is not set";
const SWITCHED_OFF = "No photos are taken here: IMAGE_STORAGE is off";

/** The folder beside the database's file, where photos are kept if nothing else is configured. */
const defaultStorage = (environment: Environment): PhotoStorageConfig => {
  const url = databaseUrlOf(environment);
  if (isPostgresUrl(url)) return { kind: "folder", folder: EXAMPLE };
  const file = fileOf(url);
  return file === ":memory:" ? { kind: "temporary" } : { kind: "folder", folder: join(dirname(file), "images") };
};

const required = (name: string, value: string | undefined): string => {
  if (value === undefined || value.trim() === "")
    throw new ConfigError(name, "is required with IMAGE_STORAGE=s3://…", "<the value from your provider>");
  return value;
};

const isEndpoint = (text: string): boolean => /^https?:\/\/[^\s/?#]+\/?$/i.test(text) && URL.canParse(text);

/** Reads what opens a bucket. Wrong values are refused also if no bucket is used. */
const bucketOf = (environment: Environment, [, bucket = "", path = ""]: readonly string[]): BucketAccess | null => {
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = environment;
  const { S3_REGION: region, S3_ENDPOINT: endpoint } = environment;
  if (endpoint !== undefined && !isEndpoint(endpoint))
    throw new ConfigError("S3_ENDPOINT", "must be an http or https address without a path", "https://s3.example.com");
  if (region !== undefined && !REGION.test(region))
    throw new ConfigError("S3_REGION", "must be the name of a region", "eu-central-1");
  if (bucket === "") return null;
  return {
    bucket,
    prefix: path
      .split("/")
      .filter((part) => part !== "")
      .join("/"),
    accessKeyId: required("S3_ACCESS_KEY_ID", accessKeyId),
    secretAccessKey: required("S3_SECRET_ACCESS_KEY", secretAccessKey),
    ...(region !== undefined && { region }),
    ...(endpoint !== undefined && { endpoint }),
  };
};

const storageOf = (environment: Environment): PhotoStorageConfig => {
  const text = environment.IMAGE_STORAGE;
  const access = bucketOf(environment, BUCKET.exec(text ?? "") ?? []);
  if (text === undefined)
    return environment.IMAGE_DELIVERY_BASE === undefined
      ? defaultStorage(environment)
      : { kind: "off", reason: ELSEWHERE };
  if (text.toLowerCase() === "off") return { kind: "off", reason: SWITCHED_OFF };
  if (access !== null) return { kind: "bucket", access };
  if (text.trim() === "" || text.includes("\0") || SCHEME.test(text))
    throw new ConfigError("IMAGE_STORAGE", "must be a folder, s3://<bucket>[/<prefix>] or off", EXAMPLE);
  return { kind: "folder", folder: text };
};

/** Reads IMAGE_STORAGE, IMAGE_QUOTA_MB and the variables of the bucket. */
export const photosOf = (environment: Environment): PhotoConfig => {
  const { IMAGE_QUOTA_MB: text } = environment;
  const quotaMib = text === undefined ? null : wholeNumber(text, MAX_MIB);
  if (text !== undefined && (quotaMib === null || quotaMib === 0))
    throw new ConfigError("IMAGE_QUOTA_MB", `must be a whole number from 1 to ${MAX_MIB}`, "2048");
  const storage = storageOf(environment);
  return { storage, isOwn: storage.kind !== "off" || environment.IMAGE_DELIVERY_BASE === undefined, quotaMib };
};
