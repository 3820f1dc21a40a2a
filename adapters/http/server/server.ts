import { listening } from "./free-address.ts";
import { logFailure } from "./request-log.ts";
import { type HttpParts, makeApp } from "./router.ts";

/** The service on its port. */
export interface HttpServer {
  readonly url: string;
  /** Answers the requests that have come so far, and from now on each at once. Until then they wait. */
  open(): void;
  /**
   * First it reports that it is not ready, but keeps serving for `delayMs`, so that load balancers send no more
   * requests. Then it accepts no more connections, waits at most `timeoutMs` for open requests to finish, and closes
   * every connection.
   */
  stop(delayMs: number, timeoutMs: number): Promise<void>;
}

// Bodies are measured while they arrive (see body.ts), after earlier checks. The runtime's own limit would answer
// before these.
const RUNTIME_BODY_LIMIT = Number.MAX_SAFE_INTEGER;
/**
 * The number of seconds for which a connection may be silent, even during a request, or if a client does not read its
 * answer.
 */
const IDLE_SECONDS = 30;
const DRAIN_POLL_MS = 20;

const sleep = (ms: number): Promise<void> => new Promise((resume) => setTimeout(resume, ms));

/** Listens on the address for the app, and serves it once it is opened. Throws AddressRefused if it cannot listen. */
export const serve = (parts: HttpParts, hostname: string, port: number): HttpServer => {
  const app = makeApp(parts);
  const opened = Promise.withResolvers<void>();
  let isOpen = false;
  app.wrap((handle, request) => (isOpen ? handle : () => opened.promise.then(() => handle(request))));
  const open = (): void => {
    isOpen = true;
    opened.resolve();
  };
  listening(() =>
    app.listen({
      hostname,
      port,
      reusePort: false,
      development: false,
      maxRequestBodySize: RUNTIME_BODY_LIMIT,
      idleTimeout: IDLE_SECONDS,
      error: (error: unknown) => lastResort(parts, error),
    }),
  );
  const { server } = app;
  if (server === null) throw new Error("the server did not start");
  const shownHost = hostname.includes(":") ? `[${hostname}]` : hostname;
  return {
    url: `http://${shownHost}:${server.port}`,
    open,
    async stop(delayMs, timeoutMs) {
      open();
      parts.stopping.begun = true;
      await sleep(delayMs);
      const deadline = performance.now() + timeoutMs;
      // This closes idle connections at once, and the others after their answers.
      void server.stop();
      // It waits at least once, because a request that has arrived but was not yet read is open, too.
      do await sleep(DRAIN_POLL_MS);
      while (server.pendingRequests > 0 && performance.now() < deadline);
      await server.stop(true);
    },
  };
};

/** The answer for errors that even the router does not catch. */
const lastResort = ({ log, commonHeaders }: HttpParts, error: unknown): Response => {
  logFailure(log, { route: "unknown", requestId: "", error });
  return new Response('{"error":"An internal error occurred","code":"internal_error"}', {
    status: 500,
    headers: { "content-type": "application/json", ...commonHeaders },
  });
};
