const TEXT = "text/plain; version=0.0.4; charset=utf-8";

/** Serves the metrics on a separate port, which the service's users cannot reach. */
export interface MetricsListener {
  readonly url: string;
  close(): Promise<void>;
}

interface ListenerParts {
  readonly hostname: string;
  readonly port: number;
  readonly text: () => string;
  /** True if this Authorization header gives access. */
  readonly mayRead: (authorization: string | null) => boolean;
}

/** Serves the metrics at `/metrics` and nothing else. Throws if it cannot listen on the address. */
export const listen = ({ hostname, port, text, mayRead }: ListenerParts): MetricsListener => {
  const server = Bun.serve({
    hostname,
    port,
    development: false,
    maxRequestBodySize: 0,
    idleTimeout: 30,
    fetch({ url, headers }) {
      if (new URL(url).pathname !== "/metrics") return new Response("The numbers are at /metrics\n", { status: 404 });
      if (mayRead(headers.get("authorization")))
        return new Response(text(), { headers: { "content-type": TEXT, "cache-control": "no-store" } });
      return new Response("A bearer token is needed\n", { status: 401, headers: { "www-authenticate": "Bearer" } });
    },
    error: () => new Response("An internal error occurred\n", { status: 500 }),
  });
  return {
    url: `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${server.port}`,
    close: () => server.stop(true),
  };
};
