import { expect, test } from "bun:test";
import { ConfigError } from "../../app/config-error.ts";
import { photosOf } from "../../app/photo-config.ts";

const KEYS = { S3_ACCESS_KEY_ID: "id", S3_SECRET_ACCESS_KEY: "secret" };

test("photos are kept beside the database unless something else is configured", () => {
  const storageOf = (environment: Record<string, string>) => photosOf(environment).storage;
  expect(storageOf({ DATABASE_URL: "sqlite:/srv/cars/inventory.db" })).toEqual({
    kind: "folder",
    folder: "/srv/cars/images",
  });
  expect(storageOf({ DATABASE_URL: "postgres://db.example.com/cars" })).toEqual({
    kind: "folder",
    folder: "./data/images",
  });
  expect(storageOf({ DATABASE_URL: "sqlite::memory:" })).toEqual({ kind: "temporary" });
});

test("a bucket is named with its prefix, and what opens it comes from variables of its own", () => {
  const region = { S3_REGION: "eu-central-1", S3_ENDPOINT: "https://s3.example.com" };
  const { storage } = photosOf({ IMAGE_STORAGE: "s3://cars.example/photos//new/", ...KEYS, ...region });
  expect(storage).toEqual({
    kind: "bucket",
    access: {
      bucket: "cars.example",
      prefix: "photos/new",
      accessKeyId: "id",
      secretAccessKey: "secret",
      region: "eu-central-1",
      endpoint: "https://s3.example.com",
    },
  });
});

test("a bucket that cannot be used is refused with one line that names the variable and an example", () => {
  for (const [variable, environment] of [
    ["S3_ACCESS_KEY_ID", { ...KEYS, S3_ACCESS_KEY_ID: " " }],
    ["S3_SECRET_ACCESS_KEY", { S3_ACCESS_KEY_ID: "id" }],
    ["S3_REGION", { ...KEYS, S3_REGION: "a b" }],
    ["S3_ENDPOINT", { ...KEYS, S3_ENDPOINT: "s3.example.com" }],
    ["S3_ENDPOINT", { ...KEYS, S3_ENDPOINT: "https://s3.example.com/path" }],
  ] as const) {
    const start = () => photosOf({ IMAGE_STORAGE: "s3://cars", ...environment });
    expect(start).toThrow(ConfigError);
    expect(start).toThrow(new RegExp(`^${variable} [^\\n]+; for example ${variable}=[^\\n]+$`));
  }
});

test("addresses under the base are the service's own unless it holds no photos and another one is named", () => {
  const base = { IMAGE_DELIVERY_BASE: "https://images.example.com" };
  const isOwn = (environment: Record<string, string>) => photosOf(environment).isOwn;
  expect([isOwn({}), isOwn({ IMAGE_STORAGE: "off" }), isOwn({ ...base, IMAGE_STORAGE: "/srv/images" })]).toEqual([
    true,
    true,
    true,
  ]);
  expect([isOwn(base), isOwn({ ...base, IMAGE_STORAGE: "off" })]).toEqual([false, false]);
});
