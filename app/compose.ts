import { auditRoutes } from "../adapters/http/audit.ts";
import { makeAuthentication } from "../adapters/http/authentication.ts";
import { sealedCursors } from "../adapters/http/cursor.ts";
import { dealerRoutes } from "../adapters/http/dealers.ts";
import { apiDoor, portalDoor } from "../adapters/http/door.ts";
import { forwardedNotice } from "../adapters/http/forwarded-notice.ts";
import { imageRoutes } from "../adapters/http/images.ts";
import { keyRoutes } from "../adapters/http/keys.ts";
import { listCursors } from "../adapters/http/list-cursors.ts";
import { LongAnswers } from "../adapters/http/long-answers.ts";
import { openLimits } from "../adapters/http/open-limits.ts";
import type { PipelineParts } from "../adapters/http/pipeline.ts";
import { invitationLink } from "../adapters/http/portal/accounts.ts";
import { respondFrom } from "../adapters/http/portal/endpoint.ts";
import { portalRoutes } from "../adapters/http/portal-routes.ts";
import type { Log } from "../adapters/http/request-log.ts";
import type { Route } from "../adapters/http/route.ts";
import type { HttpParts } from "../adapters/http/router.ts";
import { type HttpServer, serve } from "../adapters/http/server.ts";
import { strictTransport } from "../adapters/http/strict-transport.ts";
import { usageRoutes } from "../adapters/http/usage.ts";
import { userRoutes } from "../adapters/http/users.ts";
import { vehiclePager } from "../adapters/http/vehicle-pager.ts";
import { vehicleRoutes } from "../adapters/http/vehicles.ts";
import { smtpMailer } from "../adapters/sign-in/mail.ts";
import type { FactorSealing } from "../adapters/sign-in/sealed-factors.ts";
import { makeAuditLog } from "../adapters/sql/audit.ts";
import { credentialCache } from "../adapters/sql/credential-cache.ts";
import { storedCredentials } from "../adapters/sql/credentials.ts";
import { DatabaseUnavailable, type SqlDatabase } from "../adapters/sql/database.ts";
import { makeDealerRepository } from "../adapters/sql/dealers.ts";
import { makeDenialLog } from "../adapters/sql/denials.ts";
import { makeHourlyLimits } from "../adapters/sql/hourly-limits.ts";
import { makeImageRepository } from "../adapters/sql/images.ts";
import { makeKeyRepository } from "../adapters/sql/keys.ts";
import { migrateToLatest, requireLatest } from "../adapters/sql/migrate.ts";
import { recordedEvents } from "../adapters/sql/security-events.ts";
import { serviceSecret } from "../adapters/sql/service-secret.ts";
import { makeUsageRepository } from "../adapters/sql/usage.ts";
import { makeUsageStore } from "../adapters/sql/usage-store.ts";
import { makeUserRepository } from "../adapters/sql/users.ts";
import { makeVehicleRepository } from "../adapters/sql/vehicles.ts";
import { systemClock } from "../adapters/system/clock.ts";
import { makeErrands, TimeOver } from "../adapters/system/errands.ts";
import { secrets } from "../adapters/system/secrets.ts";
import { withUnwritten } from "../adapters/usage/with-unwritten.ts";
import { usageWriter } from "../adapters/usage/writer.ts";
import { makeAudit } from "../core/audit/audit.ts";
import type { Clock } from "../core/clock.ts";
import { makeDealers } from "../core/dealers/dealers.ts";
import { makeImages } from "../core/images/images.ts";
import { makeKeys } from "../core/keys/keys.ts";
import { makeOverview } from "../core/keys/overview.ts";
import { makeUsage } from "../core/keys/usage.ts";
import { DEFAULT_QUOTAS, type Quotas } from "../core/quotas.ts";
import { limitConflicts } from "../core/users/email-conflicts.ts";
import { makeUsers } from "../core/users/users.ts";
import { makeVehicles } from "../core/vehicles/vehicles.ts";
import type { Config } from "./config.ts";
import { forDatabase, openDatabase } from "./database.ts";
import { composeDisk } from "./disk.ts";
import { placeLog } from "./fault-log.ts";
import { ensureFirstKey, showFirstKey } from "./first-key.ts";
import { composeMetrics } from "./metrics.ts";
import { portalFiles } from "./portal-files.ts";
import { privacyLog } from "./privacy-log.ts";
import { openRateLimiter } from "./rate-limiter.ts";
import { unlockSecrets } from "./sealing.ts";
import { composeAccounts, composePortal, hashingGates } from "./sign-in.ts";
import { VERSION } from "./version.ts";

const DRAIN_MS = 10_000;

/** The use cases on one database, and what else works on it. */
export const composeCore = (
  db: SqlDatabase,
  clock: Clock,
  imageDeliveryBase: string | null,
  quotas: Quotas = DEFAULT_QUOTAS,
) => {
  const cache = credentialCache(storedCredentials(db));
  const usageWritten = usageWriter(makeUsageStore(db), clock, crypto.randomUUID());
  const usage = withUnwritten(makeUsageRepository(db), usageWritten);
  const denials = makeDenialLog(db, clock);
  const events = recordedEvents(db, clock);
  const flush = async (): Promise<void> => void (await Promise.all([denials.flush(), events.flush()]));
  const vehicles = makeVehicleRepository(db);
  const dealers = makeDealerRepository(db);
  const keys = makeKeyRepository(db, cache.clear, quotas);
  const users = limitConflicts(makeUserRepository(db, cache.clear, quotas), makeHourlyLimits(db, clock));
  const delivery = imageDeliveryBase === null ? null : { base: imageDeliveryBase };
  return {
    cache,
    usageWritten,
    repositories: { users, keys, dealers },
    firstKeys: keys,
    vehicles: makeVehicles({ vehicles, clock }),
    images: makeImages({
      images: makeImageRepository(db, quotas.imagesPerVehicle),
      vehicles,
      clock,
      delivery,
      mostImages: quotas.imagesPerVehicle,
    }),
    dealers: makeDealers({ dealers, vehicles, clock }),
    keys: makeKeys({ keys, users, secrets, clock }),
    usage: makeUsage({ usage, clock }),
    overview: makeOverview({ keys, usage, vehicles, dealers, clock }),
    users: makeUsers({ users, keys, secrets, clock }),
    denials,
    events,
    audit: makeAudit({ log: makeAuditLog(db), denials: { flush }, clock }),
  };
};

/** Every route of the API. */
export const composeRoutes = (
  core: ReturnType<typeof composeCore>,
  clock: Clock,
  cursorSecret: string,
  exposeSql: boolean,
): Route[] => {
  const cursors = listCursors(sealedCursors(cursorSecret));
  const pager = vehiclePager(cursors);
  return [
    ...vehicleRoutes({ vehicles: core.vehicles, pager, clock, exposeSql }),
    ...imageRoutes(core.images),
    ...dealerRoutes({ dealers: core.dealers, pager, clock }),
    ...keyRoutes(core.keys),
    ...usageRoutes(core.usage),
    ...userRoutes(core.users),
    ...auditRoutes(core.audit, cursors),
  ];
};

/** The running service. */
export interface Service {
  readonly server: HttpServer;
  /** Where the numbers are read, on a listener of their own; `null` without one. */
  readonly metricsUrl: string | null;
  /** The link that makes the first super-admin; `null` when somebody can sign in or was invited. */
  readonly setUpLink: string | null;
  /** Stops accepting, finishes what runs, saves and closes. */
  close(): Promise<void>;
}

/** Configuration in, running service out. Closing reverses opening. */
export const compose = async (config: Config, log: Log, clock: Clock = systemClock): Promise<Service> => {
  const opened: (() => void | Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const end of opened.reverse()) await end();
  };
  try {
    const metrics = composeMetrics(config.metrics);
    opened.push(() => metrics.close());
    // Before anything is made in the database: a port that is taken ends the start.
    const metricsUrl = metrics.listen();
    const errands = makeErrands(config.requestTimeoutMs);
    const db = metrics.measure(
      openDatabase(config.databaseUrl, config.postgres, placeLog(log.events), privacyLog(log.events), errands.current),
    );
    opened.push(() => db.close());
    const core = composeCore(db, clock, config.imageDeliveryBase, config.quotas);
    metrics.addCache(core.cache);
    const { publicUrl } = config;
    const mailer =
      config.smtp === null
        ? null
        : smtpMailer({
            ...config.smtp,
            failed: (err, userId) => log.events.error({ err, user_id: userId }, "an invitation was not sent"),
          });
    const unlocked = Promise.withResolvers<FactorSealing>();
    const accounts = composeAccounts({
      db,
      events: core.events,
      clock,
      repositories: core.repositories,
      changed: core.cache.clear,
      publicUrl,
      mailer,
      quotas: config.quotas,
      unlocked: () => unlocked.promise,
    });
    const { setUpToken, cursorSecret } = await forDatabase(config.databaseUrl, async () => {
      await (config.migrate ? migrateToLatest(db) : requireLatest(db));
      unlocked.resolve(await unlockSecrets(db, config.databaseUrl, config.secretKeys, log.events));
      await ensureFirstKey({ keys: core.firstKeys, secrets, clock, show: showFirstKey }, config.bootstrapApiKey);
      return {
        setUpToken: await accounts.invitations.offerFirst(),
        cursorSecret: await serviceSecret(db, "cursors"),
      };
    });
    const report = (error: unknown): void =>
      log.events.warn({ err: error }, "the database did not answer a background task");
    await core.cache.start(report);
    opened.push(() => core.cache.stop());
    core.events.start(report);
    opened.push(() => core.events.flush());
    core.denials.start(report);
    opened.push(() => core.denials.stop());
    core.usageWritten.start(report);
    opened.push(() => core.usageWritten.stop());
    const limiter = await openRateLimiter(config.rateLimitUrl, clock, log.events);
    opened.push(() => limiter.close());
    const disk = await composeDisk(config.databaseUrl, log.events, metrics.registry);
    opened.push(() => disk.stop());
    const authentication = makeAuthentication({
      credentials: core.cache,
      secrets,
      limiter,
      clock,
      requireAppType: config.requireAppType,
    });
    const routes = composeRoutes(core, clock, cursorSecret, config.exposeSql);
    const portal = composePortal(core.repositories, accounts, publicUrl, config.requireSecondFactor);
    const door = portalDoor(portal.sessions, publicUrl);
    const pipeline: PipelineParts = {
      limiter,
      longAnswers: new LongAnswers(),
      usage: core.usageWritten.meter,
      clock,
      log,
      meter: metrics.requests,
      trustedProxyHops: config.trustedProxyHops,
      noticeForwarded: forwardedNotice(log, config.trustedProxyHops),
      denials: core.denials,
      isUnavailable: (error) => error instanceof DatabaseUnavailable || error instanceof TimeOver,
      isOutcomeUnknown: (error) =>
        (error instanceof DatabaseUnavailable || error instanceof TimeOver) && error.outcomeUnknown,
      errands,
      isSecret: (text) => {
        const hash = secrets.recognise(text);
        return hash !== null && (text === config.bootstrapApiKey || core.cache.isKnown(hash));
      },
      everyAnswers: strictTransport(publicUrl),
      stopping: { begun: false },
    };
    const ofPortal = {
      door,
      publicUrl,
      signedIn: portal.signedIn,
      openLimits: openLimits(limiter, clock),
      devices: accounts.devices,
      requireSecondFactor: config.requireSecondFactor,
      gates: hashingGates(),
    };
    const parts: HttpParts = {
      ...pipeline,
      ways: [
        { door: apiDoor(authentication, config.corsOrigins, pipeline.everyAnswers, config.dealerRateLimit), routes },
        { door, routes: [...routes, ...portalRoutes(core), ...portal.routes] },
      ],
      endpoints: portal.endpoints.map((endpoint) => respondFrom(endpoint, { ...pipeline, ...ofPortal })),
      openLimits: ofPortal.openLimits,
      origins: config.corsOrigins,
      version: VERSION,
      portalFiles: portalFiles(),
      readiness: {
        database: () => db.ping(),
        limits: () => (limiter.isAlone ? "degraded" : "ok"),
        disk: () => disk.state,
      },
      metrics: metrics.open,
    };
    const server = serve(parts, config.host, config.port);
    opened.push(() => server.stop(config.shutdownDelayMs, DRAIN_MS));
    const setUpLink = setUpToken === null ? null : invitationLink(publicUrl ?? server.url, setUpToken);
    return { server, metricsUrl, setUpLink, close };
  } catch (error) {
    await close();
    throw error;
  }
};
