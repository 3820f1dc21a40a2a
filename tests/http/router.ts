import pino from "pino";
import { EventStreams } from "../../adapters/http/protocol/event-stream.ts";
import { LongAnswers } from "../../adapters/http/protocol/long-answers.ts";
import type { Route } from "../../adapters/http/protocol/route.ts";
import { makeAuthentication } from "../../adapters/http/server/authentication.ts";
import { apiEntryPoint } from "../../adapters/http/server/entry-point.ts";
import { openLimits } from "../../adapters/http/server/open-limits.ts";
import { NOT_COUNTED } from "../../adapters/http/server/request-meter.ts";
import { makeApp } from "../../adapters/http/server/router.ts";
import { memoryRateLimiter } from "../../adapters/rate-limit/memory.ts";
import { type Deadlines, makeDeadlines } from "../../adapters/system/deadlines.ts";
import { secrets } from "../../adapters/system/secrets.ts";
import type { Core } from "../../app/compose-core.ts";
import type { Clock } from "../../core/clock.ts";

interface Routed {
  readonly core: Core;
  readonly clock: Clock;
  /** The routes of the API. */
  readonly routes: readonly Route[];
  /** The portal's own routes. */
  readonly others?: readonly Parameters<typeof makeApp>[0]["mounts"][number][];
  readonly deadlines?: Deadlines;
}

/** A router made from the same parts as the service's. It logs nothing, and has its own limits. */
export const routerOn = ({ core, clock, routes, others = [], deadlines = makeDeadlines(60_000, clock) }: Routed) => {
  const limiter = memoryRateLimiter(clock);
  const requireAppType = new Set<never>();
  const authentication = makeAuthentication({ credentials: core.cache, secrets, limiter, clock, requireAppType });
  return makeApp({
    mounts: [{ entryPoint: apiEntryPoint({ authentication, origins: "*", commonHeaders: {} }), routes }, ...others],
    limiter,
    longAnswers: new LongAnswers(),
    eventStreams: new EventStreams(),
    exports: new LongAnswers(),
    usage: core.usageWritten.meter,
    repeats: core.repeats,
    clock,
    log: { events: pino({ level: "silent" }), access: null },
    endpoints: [],
    origins: "*",
    denials: core.denials,
    trustedProxyHops: 0,
    warnOfProxy: () => {},
    openLimits: openLimits(limiter, clock),
    isUnavailable: () => false,
    isOutcomeUnknown: () => false,
    commonHeaders: {},
    stopping: { begun: false },
    isSecret: () => false,
    version: "0",
    portalFiles: async () => null,
    meter: NOT_COUNTED,
    tracer: null,
    metrics: null,
    pages: [],
    deadlines,
    readiness: { database: async () => {}, limits: () => "ok", disk: () => "ok" },
  });
};
