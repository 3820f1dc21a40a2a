import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the proxy does with one request. */
export type Fault =
  /** The service gets the request, and nobody its answer. */
  | "cut-after"
  /** The connection breaks, and the service gets nothing. */
  | "cut-before"
  /** The connection breaks in the middle of the answer's body. */
  | "cut-within"
  /** Nobody answers. */
  | "silence"
  /** This answer in place of the service's. */
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };

/** A request as the proxy got it. */
interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
}

/** A proxy in front of a service, which does a fault to each of the next requests. */
export interface FaultyProxy extends AsyncDisposable {
  readonly url: string;
  /** The requests of before, in their order. */
  readonly seen: Seen[];
  /** Does these to the next requests, one each. */
  next(...faults: readonly Fault[]): void;
  /** Ends when the next request has arrived. */
  arrival(): Promise<void>;
  /** Leads to another service. */
  lead(to: string): void;
}

const bodyOf = async (request: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of request) pieces.push(piece);
  return new Uint8Array(Buffer.concat(pieces));
};

/** Starts a proxy in front of the service at `target`. */
export const startFaultyProxy = async (target: string): Promise<FaultyProxy> => {
  const seen: Seen[] = [];
  let faults: Fault[] = [];
  let service = target;
  let arrived = Promise.withResolvers<void>();

  const forward = async (request: IncomingMessage, body: Uint8Array<ArrayBuffer>): Promise<Response> => {
    const { host, connection, ...headers } = request.headers;
    return fetch(service + request.url, {
      method: request.method ?? "GET",
      headers: headers as Record<string, string>,
      ...(body.length > 0 && { body }),
    });
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    seen.push({ method: request.method ?? "", path: request.url ?? "", headers: request.headers });
    arrived.resolve();
    arrived = Promise.withResolvers();
    // Clients send a request by themselves once more if a kept connection breaks.
    response.setHeader("connection", "close");
    const fault = faults.shift();
    const body = await bodyOf(request);
    if (fault === "silence") return;
    if (fault === "cut-before") return void request.socket.destroy();
    if (typeof fault === "object") return void response.writeHead(fault.status, fault.headers).end(fault.body ?? "");
    const answer = await forward(request, body).catch(() => new Response("no service", { status: 502 }));
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (fault === "cut-after") return void request.socket.destroy();
    const {
      "content-encoding": _,
      "transfer-encoding": __,
      connection,
      ...headers
    } = Object.fromEntries(answer.headers);
    response.writeHead(answer.status, { ...headers, "content-length": String(bytes.length) });
    if (fault !== "cut-within") return void response.end(bytes);
    response.write(bytes.subarray(0, bytes.length / 2), () => request.socket.destroy());
  };

  const server = createServer((request, response) => void handle(request, response));
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    next(...ones) {
      faults = [...ones];
      seen.length = 0;
    },
    arrival: () => arrived.promise,
    lead(to) {
      service = to;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
};
