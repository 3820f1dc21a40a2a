import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isVaried } from "../adapters/system/variety.ts";
import { ConfigError, type Environment } from "./config-error.ts";

const KEY_BYTES = 32;
/** 32 bytes in base64 or base64url. */
const FORM = /^[A-Za-z0-9+/_-]{43}=?$/;
const EXAMPLE = "<the output of: openssl rand -base64 32>";

/** The configured keys that seal secrets. */
export interface SecretKeys {
  /** `null` if the key comes from a file. */
  readonly present: Uint8Array | null;
  readonly previous: Uint8Array | null;
}

const parseKey = (text: string): Uint8Array | null => {
  if (!FORM.test(text)) return null;
  const bytes = Buffer.from(text, "base64url");
  return bytes.length === KEY_BYTES && isVaried(text) ? bytes : null;
};

const keyFrom = (environment: Environment, variable: string): Uint8Array | null => {
  const text = environment[variable];
  if (text === undefined) return null;
  const key = parseKey(text);
  if (key === null) throw new ConfigError(variable, "must be 32 random bytes in base64", EXAMPLE);
  return key;
};

/** Reads SECRET_KEY and SECRET_KEY_PREVIOUS. */
export const secretKeysOf = (environment: Environment): SecretKeys => {
  const present = keyFrom(environment, "SECRET_KEY");
  const previous = keyFrom(environment, "SECRET_KEY_PREVIOUS");
  if (previous !== null && present === null)
    throw new ConfigError("SECRET_KEY", "is required with SECRET_KEY_PREVIOUS", EXAMPLE);
  return { present, previous };
};

/** The file that contains the key if none is configured. */
export const keyFileFor = (database: string | null): string =>
  join(database === null ? "data" : dirname(database), "secret.key");

/** The key in a file; `null` if the file does not exist. */
export const readKeyFile = (file: string): Uint8Array | null => {
  if (!existsSync(file)) return null;
  const key = parseKey(readFileSync(file, "utf8").trim());
  if (key === null) throw new Error(`${file} does not hold 32 random bytes in base64`);
  return key;
};

/**
 * The key in a file. If the file does not exist, it is created with mode 0600. If several processes do so at the same
 * time, only one of them creates it.
 */
export const keyFromFile = (file: string): Uint8Array => {
  const known = readKeyFile(file);
  if (known !== null) return known;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // It is written under a temporary name, so that nobody reads an incomplete key.
  const temporary = `${file}.${crypto.randomUUID().slice(0, 8)}`;
  const handle = openSync(temporary, "wx", 0o600);
  try {
    writeSync(handle, `${Buffer.from(crypto.getRandomValues(new Uint8Array(KEY_BYTES))).toString("base64")}\n`);
    fsyncSync(handle);
    linkSync(temporary, file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    closeSync(handle);
    rmSync(temporary, { force: true });
  }
  const made = readKeyFile(file);
  if (made === null) throw new Error(`${file} cannot be read`);
  return made;
};
