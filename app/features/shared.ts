import { credentialCache } from "../../adapters/sql/access/credential-cache.ts";
import { storedCredentials } from "../../adapters/sql/access/credentials.ts";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeImageRepository } from "../../adapters/sql/images/repository.ts";
import { makeRowWork } from "../../adapters/sql/imports/row-steps.ts";
import { makeStoredBytes } from "../../adapters/sql/imports/stored-bytes.ts";
import { makeKeyRepository } from "../../adapters/sql/keys/repository.ts";
import { type CurrentDeadline, DatabaseUnavailable, type SqlDatabase } from "../../adapters/sql/query/database.ts";
import { oneTransaction } from "../../adapters/sql/query/one-transaction.ts";
import { makeLotRepository } from "../../adapters/sql/readiness/lots.ts";
import { vehicleWordsIn } from "../../adapters/sql/search/vehicle-words.ts";
import { makeSettingsRepository } from "../../adapters/sql/settings/repository.ts";
import { makeHourlyLimits } from "../../adapters/sql/sign-in/hourly-limits.ts";
import { makeUserRepository } from "../../adapters/sql/users/repository.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import type { CurrentRequest } from "../../core/access/turns.ts";
import type { Clock, Timers } from "../../core/clock.ts";
import type { Network } from "../../core/egress/networks.ts";
import { deliveryIssues, type ImageDelivery, storedAddress } from "../../core/images/image.ts";
import { shownAddresses } from "../../core/images/own-address.ts";
import type { KeyNotice } from "../../core/keys/life.ts";
import type { PhotoWork } from "../../core/photos/photo-work.ts";
import type { Quotas } from "../../core/quotas.ts";
import type { Sealing } from "../../core/sealing.ts";
import type { FailingSource } from "../../core/sources/source-repository.ts";
import { makeStorage } from "../../core/storage.ts";
import { limitConflicts } from "../../core/users/email-conflicts.ts";
import type { ReportedWebhook } from "../../core/webhooks/webhook-repository.ts";

/** The photos that the service holds, as its use cases need them. */
export interface PhotoParts {
  /** `null` if no photos are taken, for this reason. */
  readonly work: PhotoWork | null;
  readonly offReason: string;
  readonly quotaMib: number | null;
  readonly delivery: ImageDelivery;
}

/** What the use cases of one database are made from. */
export interface CoreParts {
  readonly db: SqlDatabase;
  readonly clock: Clock & Timers;
  readonly imageDeliveryBase: string | null;
  /** The photos that the service holds; `null` if it has no storage for them. */
  readonly photoParts?: PhotoParts | null;
  readonly quotas: Quotas;
  /** The free space on the disk of the database; `null` if it is unknown. */
  readonly freeBytes: () => number | null;
  readonly minFreeMib: number;
  readonly requestTimeoutMs: number;
  /** False if vehicles cannot be searched by words. */
  readonly search: boolean;
  /** Starts work that is not ended by the deadline of any request. */
  readonly background: (work: () => void) => void;
  /** Returns the request that is being processed. */
  readonly currentRequest: CurrentRequest;
  /** Returns the deadline of that request. Its changes are one transaction if the request may be sent again. */
  readonly currentDeadline: CurrentDeadline;
  /** How long that transaction may take, in milliseconds; only tests say it. */
  readonly longestTransactionMs?: number;
  /** How many days ahead keys may expire at most; `null` if they need not expire. */
  readonly maxKeyDays: number | null;
  /** After how many days without a use keys are switched off; `null` if they are not. */
  readonly idleKeyDays: number | null;
  /** Is called once for each notice of a key. */
  readonly tellOfKey: (notice: KeyNotice) => void;
  /** How many hours the answers to such requests are kept. */
  readonly idempotencyHours: number;
  /** Seals and opens credentials. It waits until the secrets of the database are unlocked. */
  readonly sealing: () => Promise<Pick<Sealing, "seal" | "open">>;
  /** Networks that files may be fetched from although they are refused otherwise. */
  readonly egressAllow: readonly Network[];
  /** Is called for a source that keeps failing. */
  readonly warnOfSource: (source: FailingSource) => void;
  /** Is called with what a source's run must not tell people outside. */
  readonly explainSource: (source: FailingSource) => void;
  /** Is called for a webhook that keeps failing, or is switched off. */
  readonly warnOfWebhook: (webhook: ReportedWebhook) => void;
}

/** What the capabilities of one database share, besides what they are made from. */
export const shareParts = (parts: CoreParts) => {
  const { clock, imageDeliveryBase, photoParts = null, quotas, freeBytes, minFreeMib, requestTimeoutMs } = parts;
  const transactions = oneTransaction(parts.db, {
    current: parts.currentDeadline,
    clock,
    ...(parts.longestTransactionMs !== undefined && { longestMs: parts.longestTransactionMs }),
  });
  const { db } = transactions;
  const cache = credentialCache(storedCredentials(db));
  // What is remembered of access goes once it is changed, and once more when that is committed or undone.
  const clear = (): void => {
    cache.clear();
    transactions.atEnd(cache.clear);
  };
  const words = vehicleWordsIn(db, parts.search);
  const delivery: ImageDelivery | null =
    photoParts?.delivery ?? (imageDeliveryBase === null ? null : { base: imageDeliveryBase });
  const shown = (stored: string): string => (delivery === null ? stored : shownAddresses(delivery.base, stored));
  const rowParts = { words, pause: db.nextTurn };
  return {
    ...parts,
    /** Forgets what is remembered of access. */
    forgetAccess: clear,
    db,
    transactions,
    cache,
    words,
    photoParts,
    /** Why no photos are taken; `null` if they are, or if another process takes them. */
    photosOff: photoParts?.work === null ? photoParts.offReason : null,
    delivery,
    /** Puts the base in front of the addresses of own photos, also in a list. */
    shown,
    vehicles: makeVehicleRepository(db, words),
    images: makeImageRepository(db),
    dealers: makeDealerRepository(db, clear),
    keys: makeKeyRepository(db, clear, quotas),
    // What a refused request has used up stays used up.
    users: limitConflicts(makeUserRepository(db, clear, quotas), makeHourlyLimits(parts.db, clock)),
    settings: makeSettingsRepository(db, { ...cache, clear }),
    lots: makeLotRepository(db, shown),
    storage: makeStorage(makeStoredBytes(db), clock, { freeBytes, minFreeMib, keptMib: quotas.keptMibPerDealer }),
    rowParts,
    rowWork: makeRowWork(db, rowParts),
    imageRules: {
      max: quotas.imagesPerVehicle,
      issuesOf: (address: string) => deliveryIssues(delivery, address),
      storedForm: (address: string) => storedAddress(delivery, address),
    },
    /** Gives other requests their turn. */
    pause: db.nextTurn,
    /** Work that begins before this limit can finish and be answered within the time limit of the request. */
    maxMs: requestTimeoutMs * 0.7,
    isUnavailable: (error: unknown): boolean => error instanceof DatabaseUnavailable,
  };
};

export type Shared = ReturnType<typeof shareParts>;
