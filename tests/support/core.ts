import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { sealingOf } from "../../adapters/system/sealing.ts";
import { type Core, composeCore, composeRoutes } from "../../app/compose-core.ts";
import type { CoreParts } from "../../app/features/shared.ts";
import { type AccountParts, composeAccounts } from "../../app/features/sign-in.ts";
import type { Clock, Timers } from "../../core/clock.ts";
import { DEFAULT_QUOTAS } from "../../core/quotas.ts";

/** The core of a database, wired as the service wires it. Nothing is measured, and nobody's request has a deadline. */
export const coreOn = (db: SqlDatabase, clock: Clock & Timers, others: Partial<CoreParts> = {}): Core =>
  composeCore({
    db,
    clock,
    imageDeliveryBase: null,
    quotas: DEFAULT_QUOTAS,
    freeBytes: () => null,
    minFreeMib: 0,
    requestTimeoutMs: 5000,
    search: true,
    background: (work) => work(),
    currentRequest: () => undefined,
    currentDeadline: () => undefined,
    idempotencyHours: 24,
    maxKeyDays: null,
    idleKeyDays: null,
    tellOfKey: () => {},
    sealing: async () => sealingOf(new Uint8Array(32), []),
    egressAllow: [],
    warnOfSource: () => {},
    explainSource: () => {},
    warnOfWebhook: () => {},
    ...others,
  });

/** The routes of the API, as the service mounts them. */
export const routesOf = (core: Core, { exposeSql = true } = {}) =>
  composeRoutes(core, { cursorSecret: "a secret of the tests", exposeSql, publicUrl: null });

/** The accounts of a core, wired as the service wires them. Nobody can sign in unless the secrets are unlocked. */
export const accountsOn = (
  core: Core,
  { db, clock, ...others }: Pick<AccountParts, "db" | "clock"> & Partial<AccountParts>,
) =>
  composeAccounts({
    db,
    backgroundDb: db,
    clock,
    repositories: core.repositories,
    onAccessChange: core.cache.clear,
    publicUrl: null,
    mailer: null,
    unlocked: () => Promise.reject(new Error("the secrets of this database are not unlocked")),
    isAbandoned: () => false,
    quotas: DEFAULT_QUOTAS,
    passwordCost: { memoryCost: 8, timeCost: 1 },
    events: core.events,
    ...others,
  });
