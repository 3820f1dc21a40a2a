import { invitationLink } from "../adapters/http/portal/accounts.ts";
import { withDocument } from "../adapters/http/portal/document.ts";
import { respondFrom } from "../adapters/http/portal/endpoint-pipeline.ts";
import { portalRoutes } from "../adapters/http/portal/routes.ts";
import { EventStreams } from "../adapters/http/protocol/event-stream.ts";
import { EXPORT_LIMITS, LongAnswers } from "../adapters/http/protocol/long-answers.ts";
import { strictTransport } from "../adapters/http/protocol/strict-transport.ts";
import { makeAuthentication } from "../adapters/http/server/authentication.ts";
import { apiEntryPoint, portalEntryPoint } from "../adapters/http/server/entry-point.ts";
import { requireFreeAddress } from "../adapters/http/server/free-address.ts";
import { openLimits } from "../adapters/http/server/open-limits.ts";
import type { PipelineParts } from "../adapters/http/server/parts.ts";
import { proxyWarning } from "../adapters/http/server/proxy-warning.ts";
import type { Log } from "../adapters/http/server/request-log.ts";
import type { HttpParts } from "../adapters/http/server/router.ts";
import { type HttpServer, serve } from "../adapters/http/server/server.ts";
import { smtpMailer } from "../adapters/sign-in/mail.ts";
import { PASSWORD_COST, type PasswordCost } from "../adapters/sign-in/passwords.ts";
import { untilReachable } from "../adapters/sql/postgres/until-reachable.ts";
import { DatabaseUnavailable } from "../adapters/sql/query/database.ts";
import { migrateToLatest, requireLatest, WAITS_FOR_SCHEMA } from "../adapters/sql/schema/migrate.ts";
import type { UnlockedSecrets } from "../adapters/sql/sign-in/sealed-secrets.ts";
import { serviceSecret } from "../adapters/sql/sign-in/service-secret.ts";
import { systemClock } from "../adapters/system/clock.ts";
import { makeDeadlines, TimeOver } from "../adapters/system/deadlines.ts";
import { secrets } from "../adapters/system/secrets.ts";
import type { Clock, Timers } from "../core/clock.ts";
import { networkOf } from "../core/egress/networks.ts";
import type { KeyNotice } from "../core/keys/life.ts";
import { composeBackups } from "./backups.ts";
import { composeCore, composeRoutes, sharedRoutes } from "./compose-core.ts";
import type { Config } from "./config.ts";
import { forDatabase, openDatabase, reasonOf } from "./database.ts";
import { databaseFileLog } from "./database-file-log.ts";
import { composeDisk, isOnThisDisk } from "./disk.ts";
import type { WorkListener } from "./features/feature.ts";
import { composeAccounts, composePortal, hashingGates } from "./features/sign-in.ts";
import { ensureFirstKey, showFirstKey } from "./first-key.ts";
import { composeMetrics } from "./metrics.ts";
import { openPhotos } from "./photos.ts";
import { portalFiles } from "./portal-files.ts";
import { privacyLog } from "./privacy-log.ts";
import { openRateLimiter } from "./rate-limiter.ts";
import { unlockSecrets } from "./sealing.ts";
import { searchLog } from "./search-log.ts";
import { watchProcesses } from "./second-process.ts";
import { composeTracing } from "./tracing.ts";
import { VERSION } from "./version.ts";
import { addWorkMetrics } from "./work-metrics.ts";

const DRAIN_MS = 10_000;

/** The running service. */
export interface Service {
  readonly server: HttpServer;
  /** The address of the metrics listener; `null` if there is none. */
  readonly metricsUrl: string | null;
  /** The link that sets up the first super-admin; `null` if somebody can sign in or was invited. */
  readonly setUpLink: string | null;
  /** Accepts no more requests, finishes those in progress, saves what is pending, and closes everything. */
  close(): Promise<void>;
}

/** Parts that are replaced only by tests. */
interface TestOverrides {
  readonly clock?: Clock & Timers;
  readonly passwordCost?: PasswordCost;
  readonly drainMs?: number;
  readonly longestTransactionMs?: number;
}

/** What the log says of a key. */
const KEY_NOTICES: Readonly<Record<KeyNotice["kind"], string>> = {
  expiring: "a key expires",
  idle: "a key is not used, and will be switched off",
  "switched-off": "a key was switched off because it was not used",
};

/** Starts the service with a configuration. It is closed in the reverse order. */
export const compose = async (
  config: Config,
  log: Log,
  { clock: testClock, passwordCost = PASSWORD_COST, drainMs = DRAIN_MS, longestTransactionMs }: TestOverrides = {},
): Promise<Service> => {
  const clock = testClock ?? systemClock;
  const closers: (() => void | Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const end of closers.reverse()) await end();
  };
  try {
    const metrics = composeMetrics(config.metrics);
    closers.push(() => metrics.close());
    // If a port is in use, also by the metrics, the start ends here, before anything is created in the database.
    const metricsUrl = metrics.listen();
    requireFreeAddress(config.host, config.port);
    const deadlines = makeDeadlines(config.requestTimeoutMs, clock);
    const tracing = await composeTracing(config.tracing, (reason) =>
      log.events.warn({ reason }, "traces could not be sent"),
    );
    closers.push(() => tracing.close());
    const db = tracing.trace(
      metrics.measure(
        openDatabase(config.databaseUrl, {
          postgres: config.postgres,
          listener: databaseFileLog(log.events),
          onMadePrivate: privacyLog(log.events),
          current: deadlines.current,
        }),
      ),
    );
    closers.push(() => db.close());
    const processes = watchProcesses(config.databaseUrl, log.events);
    closers.push(() => processes.stop());
    const unlocked = Promise.withResolvers<UnlockedSecrets>();
    const mailer =
      config.smtp === null
        ? null
        : smtpMailer({
            ...config.smtp,
            clock,
            failed: (err, userId, what) => log.events.error({ err, user_id: userId }, `${what} was not sent`),
          });
    let freeBytes = (): number | null => null;
    const photos = openPhotos(config, log.events);
    closers.push(() => photos.close());
    const core = composeCore({
      db,
      clock,
      imageDeliveryBase: config.imageDeliveryBase,
      photoParts: photos,
      quotas: config.quotas,
      freeBytes: () => freeBytes(),
      minFreeMib: config.minFreeMib,
      requestTimeoutMs: config.requestTimeoutMs,
      search: config.search,
      background: deadlines.withoutDeadline,
      currentRequest: deadlines.current,
      currentDeadline: deadlines.current,
      ...(longestTransactionMs !== undefined && { longestTransactionMs }),
      idempotencyHours: config.idempotencyHours,
      maxKeyDays: config.maxKeyDays,
      idleKeyDays: config.idleKeyDays,
      tellOfKey: (notice) => {
        const { keyId, dealerId, kind, endsAt } = notice;
        log.events.warn({ key: keyId, dealer_id: dealerId, ends_at: endsAt }, KEY_NOTICES[kind]);
        mailer?.tellOfKey(notice);
      },
      sealing: async () => (await unlocked.promise).sealing,
      egressAllow: config.egressAllow.flatMap((text) => networkOf(text) ?? []),
      warnOfSource: ({ id, dealerId, problem }) =>
        log.events.warn({ source: id, dealer_id: dealerId, problem }, "an import source keeps failing"),
      explainSource: ({ id, dealerId, problem }) =>
        log.events.info({ source: id, dealer_id: dealerId, problem }, "the file of an import source was not fetched"),
      warnOfWebhook(webhook) {
        const { id, dealerId, problem } = webhook;
        log.events.warn({ webhook: id, dealer_id: dealerId, problem }, "a webhook needs attention");
        mailer?.tellOfWebhook(webhook);
      },
    });
    metrics.addCache(core.cache);
    const { publicUrl } = config;
    const accounts = composeAccounts({
      db,
      backgroundDb: { ...db, writeOne: (...change) => deadlines.withoutDeadline(() => db.writeOne(...change)) },
      // Events in the background are recorded even if the client that caused them has disconnected.
      events: {
        ...core.events,
        recordInBackground: (happening) => deadlines.withoutDeadline(() => core.events.recordInBackground(happening)),
      },
      clock,
      repositories: core.repositories,
      onAccessChange: core.cache.clear,
      publicUrl,
      mailer,
      quotas: config.quotas,
      passwordCost,
      unlocked: () => unlocked.promise,
      isAbandoned: () => deadlines.current()?.isAbandoned() ?? false,
    });
    if (db.engine === "postgres")
      await untilReachable(db, {
        timeoutMs: config.startupTimeoutMs,
        onFailedTry: (attempt, error) =>
          log.events.warn(
            { attempt, reason: reasonOf(error) },
            "PostgreSQL does not answer yet: the start waits for it, STARTUP_TIMEOUT seconds at most",
          ),
      });
    const firstKey = (): Promise<void> =>
      ensureFirstKey({ keys: core.firstKeys, secrets, clock, show: showFirstKey }, config.bootstrapApiKey);
    const cursorSecret = await forDatabase(config.databaseUrl, async () => {
      const onWait = (): void => log.events.warn(WAITS_FOR_SCHEMA);
      await (config.migrate ? migrateToLatest(db, onWait) : requireLatest(db));
      unlocked.resolve(
        await unlockSecrets(db, { databaseUrl: config.databaseUrl, keys: config.secretKeys, events: log.events }),
      );
      // Whoever set the key may use it as soon as the service listens.
      if (config.bootstrapApiKey !== null) await firstKey();
      return serviceSecret(db, "cursors");
    });
    const report = (error: unknown): void =>
      log.events.warn({ err: error }, "the database did not answer a background task");
    const listener: WorkListener = {
      ...searchLog(log.events, report),
      interrupted: (err, claim) =>
        log.events.warn(
          { err, ...(claim !== null && { job: claim.kind, subject: claim.subjectId, attempts: claim.attempts }) },
          "work in the background was interrupted, and goes on later",
        ),
    };
    for (const work of core.features.flatMap(({ works = [] }) => works)) {
      await work.start(listener);
      closers.push(() => work.stop());
    }
    const limiter = await openRateLimiter({
      url: config.rateLimitUrl,
      clock,
      windows: testClock,
      log: log.events,
    });
    closers.push(() => limiter.close());
    const disk = await composeDisk(config.databaseUrl, log.events, metrics.registry);
    closers.push(() => disk.stop());
    freeBytes = () => (isOnThisDisk(config.databaseUrl) ? (disk.space?.freeBytes ?? null) : null);
    if (config.metrics !== null) {
      closers.push(addWorkMetrics({ registry: metrics.registry, db, clock, features: core.features }));
    }
    const { databaseUrl } = config;
    const backups = composeBackups(config.backups, { databaseUrl, clock, log: log.events, registry: metrics.registry });
    backups.start();
    closers.push(() => backups.stop());
    const authentication = makeAuthentication({
      credentials: core.cache,
      secrets,
      limiter,
      clock,
      requireAppType: config.requireAppType,
    });
    const routes = composeRoutes(core, { cursorSecret, exposeSql: config.exposeSql, publicUrl });
    const portal = composePortal({
      repositories: core.repositories,
      settings: core.settings,
      parts: accounts,
      publicUrl,
      requireSecondFactor: config.requireSecondFactor,
    });
    const entryPoint = portalEntryPoint(portal.sessions, publicUrl);
    const pipeline: PipelineParts = {
      limiter,
      longAnswers: new LongAnswers(),
      eventStreams: new EventStreams(),
      exports: new LongAnswers(EXPORT_LIMITS, clock),
      usage: core.usageWritten.meter,
      clock,
      log,
      meter: metrics.requests,
      tracer: tracing.requests,
      trustedProxyHops: config.trustedProxyHops,
      warnOfProxy: proxyWarning(log, config.trustedProxyHops),
      denials: core.denials,
      isUnavailable: (error) => error instanceof DatabaseUnavailable || error instanceof TimeOver,
      isOutcomeUnknown: (error) =>
        (error instanceof DatabaseUnavailable || error instanceof TimeOver) && error.outcomeUnknown,
      deadlines,
      repeats: core.repeats,
      isSecret: (text) => {
        const hash = secrets.recognise(text);
        return hash !== null && (text === config.bootstrapApiKey || core.cache.isKnown(hash));
      },
      commonHeaders: strictTransport(publicUrl),
      stopping: { begun: false },
    };
    const portalParts = {
      entryPoint,
      publicUrl,
      signedIn: portal.signedIn,
      openLimits: openLimits(limiter, clock),
      devices: accounts.devices,
      requireSecondFactor: config.requireSecondFactor,
      gates: hashingGates(),
    };
    const allPortalRoutes = [...sharedRoutes(routes), ...portalRoutes(core), ...portal.routes];
    const parts: HttpParts = {
      ...pipeline,
      mounts: [
        {
          entryPoint: apiEntryPoint({
            authentication,
            origins: config.corsOrigins,
            commonHeaders: pipeline.commonHeaders,
            dealerLimit: config.dealerRateLimit,
            clock,
          }),
          routes,
        },
        { entryPoint, routes: allPortalRoutes },
      ],
      endpoints: withDocument({ routes: allPortalRoutes, endpoints: portal.endpoints, version: VERSION }).map(
        (endpoint) => respondFrom(endpoint, { ...pipeline, ...portalParts }),
      ),
      openLimits: portalParts.openLimits,
      origins: config.corsOrigins,
      version: VERSION,
      portalFiles,
      readiness: {
        database: () => db.ping(),
        limits: () => (limiter.isAlone ? "degraded" : "ok"),
        disk: () => disk.state,
        processes: () => processes.processes,
        backup: backups.state,
        images: photos.work?.storage.check ?? null,
        search: core.vehicleWords.progress,
      },
      metrics: metrics.page,
      pages: core.features.flatMap(({ pages }) => pages?.({ ...pipeline, version: VERSION }) ?? []),
    };
    const server = serve(parts, config.host, config.port);
    photos.serveAt(server.url);
    closers.push(() => server.stop(config.shutdownDelayMs, drainMs));
    closers.push(() => core.news.stop());
    // Of several starts at once on one port, only the one that listens shows a key and a link: the others end. It
    // answers nobody before, so that a script which waits for the service finds the key that was shown.
    const setUpToken = await forDatabase(config.databaseUrl, async () => {
      if (config.bootstrapApiKey === null) await firstKey();
      return accounts.invitations.offerFirst();
    });
    const setUpLink = setUpToken === null ? null : invitationLink(publicUrl ?? server.url, setUpToken);
    server.open();
    return { server, metricsUrl, setUpLink, close };
  } catch (error) {
    await close();
    throw error;
  }
};
