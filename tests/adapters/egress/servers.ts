import { createServer as createPlain, type RequestListener, type Server } from "node:http";
import { createServer as createSecure } from "node:https";
import { type AddressInfo, createServer as createRaw, type Socket } from "node:net";
import { guardedEgress } from "../../../adapters/egress/client.ts";
import type { Resolve } from "../../../adapters/egress/target.ts";
import { systemClock } from "../../../adapters/system/clock.ts";
import type { SteadyClock } from "../../../core/clock.ts";
import { EGRESS_LIMITS, EgressFailure, type EgressLimits, type EgressRequest } from "../../../core/egress/egress.ts";
import { networkOf } from "../../../core/egress/networks.ts";
import { AUTHORITY, CERTIFICATE, KEY } from "./certificates.ts";

/** The address that all servers of these tests listen at, unless they say another. */
export const LOOPBACK = "127.0.0.1";
/** The bytes that an answer may have. */
export const MOST_BYTES = 1_000_000;

/** What ends each server and connection. */
export const closing: (() => void)[] = [];

/** Ends what the tests of a file have opened; each file does so after each test. */
export const closeServers = (): void => {
  for (const close of closing.splice(0)) close();
};

const portOf = async (server: Pick<Server, "listen" | "address" | "close">, host = LOOPBACK): Promise<number> => {
  await new Promise<void>((resolve) => void server.listen(0, host, resolve));
  closing.push(() => void server.close());
  return (server.address() as AddressInfo).port;
};

/** The port of a server without TLS. */
export const plain = (listener: RequestListener, host?: string) => portOf(createPlain(listener), host);
/** The port of a server that has the certificate of `files.example.com`. */
export const secure = (listener: RequestListener) => portOf(createSecure({ key: KEY, cert: CERTIFICATE }, listener));

/** A TCP server that answers as the test wants. */
export const raw = (say: (socket: Socket) => void): Promise<number> =>
  portOf(
    createRaw((socket) => {
      closing.push(() => socket.destroy());
      socket.on("error", () => {});
      socket.once("data", () => say(socket));
    }) as unknown as Server,
  );

/** Writes again and again while the connection is open. */
export const endlessly =
  (start: string, piece: () => string) =>
  (socket: Socket): void => {
    socket.write(start);
    const more = (): void => {
      if (!socket.destroyed) socket.write(piece(), () => setImmediate(more));
    };
    more();
  };

/** What a test wants of its client. */
export interface Options {
  readonly allow?: readonly string[];
  readonly resolve?: Resolve;
  readonly limits?: Partial<EgressLimits>;
  readonly clock?: SteadyClock;
}

/** A client that may reach these servers, and trusts their certificate. */
export const clientOf = ({
  allow = [LOOPBACK],
  resolve = async () => [LOOPBACK],
  limits = {},
  clock = systemClock,
}: Options = {}) =>
  guardedEgress({
    clock,
    allowed: allow.flatMap((text) => networkOf(text) ?? []),
    resolve,
    limits: { ...EGRESS_LIMITS, ...limits },
    ca: AUTHORITY,
  });

/** The status, text and headers of an answer, or the problem and message of a failure. */
export const fetched = async (request: Partial<EgressRequest> & { readonly url: string }, options?: Options) => {
  try {
    const { status, headers, body } = await clientOf(options).get({ maxBytes: MOST_BYTES, ...request });
    const pieces: Uint8Array[] = [];
    for await (const piece of body) pieces.push(piece);
    return { status, headers, bytes: Buffer.concat(pieces), text: Buffer.concat(pieces).toString() };
  } catch (error) {
    if (!(error instanceof EgressFailure)) throw error;
    return { problem: error.problem, message: error.message };
  }
};

/** A listener that records its requests. */
export const listening = () => {
  const requests: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, unknown>>;
  }[] = [];
  const listener: RequestListener = ({ method = "", url = "", headers }, response) => {
    requests.push({ method, url, headers });
    response.end("a file");
  };
  return { requests, listener };
};
