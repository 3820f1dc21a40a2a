import { chmodSync, statSync } from "node:fs";
import type { Log } from "../adapters/http/server/request-log.ts";
import { openLegacySecret } from "../adapters/sign-in/legacy-secrets.ts";
import type { SqlDatabase } from "../adapters/sql/query/database.ts";
import {
  contextOfSecondFactor,
  sealedSecrets,
  type UnlockedSecrets,
  WrongSecretKey,
} from "../adapters/sql/sign-in/sealed-secrets.ts";
import { SEALED_CREDENTIALS } from "../adapters/sql/sources/stored.ts";
import { SEALED_WEBHOOK_SECRETS } from "../adapters/sql/webhooks/stored.ts";
import { sealingOf } from "../adapters/system/sealing.ts";
import type { Sealing } from "../core/sealing.ts";
import { fileOf } from "./database.ts";
import { isPostgresUrl } from "./database-url.ts";
import { keyFileFor, keyFromFile, readKeyFile, type SecretKeys } from "./secret-key.ts";

const OTHERS_MODE = 0o077;

/** The file for the key of a database, if no key is configured; `null` for a database in memory. */
const keyFileOf = (databaseUrl: string): string | null => {
  if (isPostgresUrl(databaseUrl)) return keyFileFor(null);
  const file = fileOf(databaseUrl);
  return file === ":memory:" ? null : keyFileFor(file);
};

const keyInFile = (file: string): Uint8Array => {
  try {
    return keyFromFile(file);
  } catch (error) {
    throw new Error(`the secret key cannot be kept in ${file} (${(error as Error).message}); set SECRET_KEY`, {
      cause: error,
    });
  }
};

const ensurePrivate = (file: string, events: Log["events"]): void => {
  if (process.getuid === undefined || (statSync(file).mode & OTHERS_MODE) === 0) return;
  chmodSync(file, 0o600);
  events.warn({ files: [file] }, "other users of this machine could read the secret key; change it if one may have");
};

/**
 * The keys of a database: the configured ones, or the one in the file beside it. A database in memory has a temporary
 * key.
 */
const sealingFor = (databaseUrl: string, { present, previous }: SecretKeys, events: Log["events"]): Sealing => {
  const file = keyFileOf(databaseUrl);
  const before = previous === null ? [] : [previous];
  if (present !== null) {
    // The key in the file counts as a previous key. So it need not be stated again when the variable is set.
    const fileKey = file === null ? null : readKeyFile(file);
    return sealingOf(present, fileKey === null ? before : [...before, fileKey]);
  }
  if (file === null) return sealingOf(crypto.getRandomValues(new Uint8Array(32)), before);
  const key = keyInFile(file);
  ensurePrivate(file, events);
  if (isPostgresUrl(databaseUrl))
    events.warn(
      `the secret key comes from ${file}: several instances need the same one, set SECRET_KEY for all of them`,
    );
  return sealingOf(key, before);
};

/**
 * Unlocks the secrets of a migrated database: it checks the key, and seals everything with it again. If the database
 * was sealed with another key, it throws an error of one line that contains the remedy.
 */
export const unlockSecrets = async (
  db: SqlDatabase,
  {
    databaseUrl,
    keys,
    events,
  }: { readonly databaseUrl: string; readonly keys: SecretKeys; readonly events: Log["events"] },
): Promise<UnlockedSecrets> => {
  const sealing = sealingFor(databaseUrl, keys, events);
  const secrets = sealedSecrets(db, sealing, {
    openLegacy: openLegacySecret,
    columns: [SEALED_CREDENTIALS, ...SEALED_WEBHOOK_SECRETS],
  });
  try {
    await secrets.unlock(keys.present === null);
  } catch (error) {
    if (!(error instanceof WrongSecretKey)) throw error;
    const remedy =
      keys.present === null
        ? `than the one in ${keyFileOf(databaseUrl)}: put that key there, or into SECRET_KEY`
        : "than SECRET_KEY: set SECRET_KEY to that key, or SECRET_KEY_PREVIOUS to go over to the new one";
    throw new Error(`${error.message} ${remedy}`, { cause: error });
  }
  return {
    cookieKey: sealing.derive("sign-in"),
    seal: (secret, userId) => sealing.seal(secret, contextOfSecondFactor(userId)),
    open: (sealed, userId) => sealing.open(sealed, contextOfSecondFactor(userId)),
    isSealed: sealing.isSealed,
    sealing,
    reseal: secrets.reseal,
  };
};
