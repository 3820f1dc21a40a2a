import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createServer as createPlain, type RequestListener, type Server } from "node:http";
import { createServer as createSecure } from "node:https";
import { type AddressInfo, createServer as createRaw, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { guardedEgress } from "../../../adapters/egress/client.ts";
import { permittedAddresses, type Resolve, targetOf } from "../../../adapters/egress/target.ts";
import { systemClock } from "../../../adapters/system/clock.ts";
import type { SteadyClock } from "../../../core/clock.ts";
import { EGRESS_LIMITS, EgressFailure, type EgressLimits, type EgressRequest } from "../../../core/egress/egress.ts";
import { networkOf } from "../../../core/egress/networks.ts";
import { fakeClock } from "../../support/clock.ts";
import { timerTurns } from "../../support/timer-turns.ts";
import { AUTHORITY, CERTIFICATE, KEY } from "./certificates.ts";

const LOOPBACK = "127.0.0.1";
const MOST_BYTES = 1_000_000;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const portOf = async (server: Pick<Server, "listen" | "address" | "close">, host = LOOPBACK): Promise<number> => {
  await new Promise<void>((resolve) => void server.listen(0, host, resolve));
  closing.push(() => void server.close());
  return (server.address() as AddressInfo).port;
};

const plain = (listener: RequestListener, host?: string) => portOf(createPlain(listener), host);
const secure = (listener: RequestListener) => portOf(createSecure({ key: KEY, cert: CERTIFICATE }, listener));

/** A TCP server that answers as the test wants. */
const raw = (say: (socket: Socket) => void): Promise<number> =>
  portOf(
    createRaw((socket) => {
      closing.push(() => socket.destroy());
      socket.on("error", () => {});
      socket.once("data", () => say(socket));
    }) as unknown as Server,
  );

/** Writes again and again while the connection is open. */
const endlessly =
  (start: string, piece: () => string) =>
  (socket: Socket): void => {
    socket.write(start);
    const more = (): void => {
      if (!socket.destroyed) socket.write(piece(), () => setImmediate(more));
    };
    more();
  };

interface Options {
  readonly allow?: readonly string[];
  readonly resolve?: Resolve;
  readonly limits?: Partial<EgressLimits>;
  readonly clock?: SteadyClock;
}

const clientOf = ({
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
const fetched = async (request: Partial<EgressRequest> & { readonly url: string }, options?: Options) => {
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
const listening = () => {
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

describe("a file fetched over TLS", () => {
  test("comes from the address that was checked, under the host's own name and certificate", async () => {
    const { requests, listener } = listening();
    const port = await secure(listener);
    const asked: string[] = [];
    const resolve: Resolve = async (host) => {
      asked.push(host);
      return [LOOPBACK];
    };
    const url = `https://files.example.com:${port}/lot.csv?day=1#part`;
    expect(await fetched({ url, headers: { "if-none-match": '"1"' } }, { resolve })).toMatchObject({
      status: 200,
      text: "a file",
    });
    expect(asked).toEqual(["files.example.com"]);
    expect(requests).toMatchObject([
      {
        method: "GET",
        url: "/lot.csv?day=1",
        headers: { host: `files.example.com:${port}`, "if-none-match": '"1"' },
      },
    ]);
    // The certificate is that of the name without the dot that ends a complete name.
    expect(await fetched({ url: `https://files.example.com.:${port}/` })).toMatchObject({ status: 200 });
  });

  test("is refused from a host with another host's certificate", async () => {
    const { requests, listener } = listening();
    const port = await secure(listener);
    const url = `https://other.example.com:${port}/`;
    expect(await fetched({ url })).toMatchObject({ problem: "certificate_wrong" });
    expect(await fetched({ url: `https://${LOOPBACK}:${port}/` })).toMatchObject({ problem: "certificate_wrong" });
    expect(requests).toEqual([]);
  });

  test("is refused from a host with an unknown authority, whatever the environment says", async () => {
    const { requests, listener } = listening();
    const port = await secure(listener);
    const strict = guardedEgress({ allowed: [], clock: systemClock, resolve: async () => [LOOPBACK] });
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
    try {
      const client = guardedEgress({
        clock: systemClock,
        allowed: [LOOPBACK].flatMap((text) => networkOf(text) ?? []),
        resolve: async () => [LOOPBACK],
      });
      const request = { url: `https://files.example.com:${port}/`, maxBytes: MOST_BYTES };
      expect(await client.get(request).catch((error) => error.problem)).toBe("certificate_wrong");
      expect(await strict.get(request).catch((error) => error.problem)).toBe("address_refused");
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
    }
    expect(requests).toEqual([]);
  });
});

describe("a refused address gets no request:", () => {
  let port = 0;
  let requests: readonly unknown[] = [];
  beforeEach(async () => {
    const made = listening();
    requests = made.requests;
    port = await plain(made.listener);
  });

  // [what it is, address with PORT, what its name resolves to].
  const REFUSED: readonly (readonly [what: string, url: string, resolved: readonly string[]])[] = [
    ["the loopback address", "http://127.0.0.1:PORT/", []],
    ["an address as one number", "http://2130706433:PORT/", []],
    ["an address in hexadecimal", "http://0x7f000001:PORT/", []],
    ["an address in octal", "http://0177.0.0.1:PORT/", []],
    ["an address with omitted parts", "http://127.1:PORT/", []],
    ["an address in other digits", "http://①②⑦.⓪.⓪.①:PORT/", []],
    ["an address with a trailing dot", "http://127.0.0.1.:PORT/", []],
    ["the address of only zeros", "http://0:PORT/", []],
    ["an IPv6 loopback address", "http://[::1]:PORT/", []],
    ["an IPv4 address mapped to IPv6", "http://[::ffff:127.0.0.1]:PORT/", []],
    ["an IPv4 address mapped to IPv6, in hexadecimal", "http://[::ffff:7f00:1]:PORT/", []],
    ["a NAT64 address", "http://[64:ff9b::127.0.0.1]:PORT/", []],
    ["a 6to4 address", "http://[2002:7f00:1::]:PORT/", []],
    ["an address with a zone", "http://[fe80::1%25lo]:PORT/", []],
    ["a cloud's metadata service", "http://169.254.169.254/latest/meta-data/", []],
    ["a name of an inner address", "https://inside.example.com:PORT/", ["127.0.0.1"]],
    ["a name with a trailing dot", "https://inside.example.com.:PORT/", ["127.0.0.1"]],
    ["a name with an inner second address", "https://inside.example.com:PORT/", ["93.184.216.34", "10.0.0.1"]],
    ["a name of an address with a zone", "https://inside.example.com:PORT/", ["fe80::1%lo"]],
    ["a host without TLS", "http://outside.example.com/", ["93.184.216.34"]],
    ["an address with a user and a password", "http://user:word@127.0.0.1:PORT/", []],
    ["an address with a host as the user", "https://files.example.com@127.0.0.1:PORT/", []],
    ["a file", "file:///etc/passwd", []],
    ["gopher", "gopher://127.0.0.1:PORT/", []],
    ["data", "data:text/csv,a", []],
    ["text that is no address", "//127.0.0.1:PORT/", []],
    ["an address without a host", "https://", []],
  ];

  for (const [what, url, resolved] of REFUSED)
    test(`${what}: ${url}`, async () => {
      const options = { allow: [], resolve: async () => resolved };
      expect(await fetched({ url: url.replace("PORT", String(port)) }, options)).toMatchObject({
        problem: "address_refused",
      });
      expect(requests).toEqual([]);
    });

  // [what, its address, what it must be; `null` if only a look-up tells].
  const AT_ONCE: readonly (readonly [what: string, url: string, refusal: RegExp | null, allow?: readonly string[]])[] =
    [
      ["an address of this machine", "https://127.0.0.1/", /^must not lead to 127\.0\.0\.1, which is this machine/],
      ["an address of this machine as one number", "https://2130706433/", /which is this machine/],
      [
        "an address of version 6 of this machine",
        "https://[::1]:8443/",
        /^must not lead to ::1, which is this machine/,
      ],
      ["one in another form", "https://[::ffff:10.0.0.1]/", /which is an address of version 4 in another form/],
      ["a private network", "https://10.1.2.3/", /which is a private network/],
      ["a private network that is allowed", "http://10.1.2.3/", null, ["10.0.0.0/8"]],
      ["a private network beside an allowed one", "https://10.1.2.3/", /which is a private network/, ["10.2.0.0/16"]],
      ["a public address without TLS", "http://8.8.8.8/", /^must be an https address/, ["10.0.0.0/8"]],
      ["a public address", "https://8.8.8.8/", null],
      ["a name without TLS", "http://files.example.com/", /^must be an https address/],
      ["a name without TLS that may be in an allowed network", "http://files.example.com/", null, ["10.0.0.0/8"]],
      ["a name of this machine", "https://localhost/", /localhost, which is this machine; EGRESS_ALLOW/],
      ["another name of this machine", "https://inventory.LOCALHOST./", /which is this machine/],
      ["a name of this machine, where it is allowed", "http://localhost/", null, ["127.0.0.0/8"]],
      ["a name that only looks like one", "https://notlocalhost/", null],
      ["another scheme", "ftp://files.example.com/lot.csv", /nothing is fetched by ftp$/],
      ["no address", "//files.example.com/", null],
    ];
  for (const [what, url, refusal, allow = []] of AT_ONCE)
    test(`${refusal === null ? "only when it is fetched, if at all" : "before it is fetched"}: ${what}`, () => {
      const resolve: Resolve = () => {
        throw new Error("a name was looked up");
      };
      const found = clientOf({ allow, resolve }).refusal(url);
      if (refusal === null) expect(found).toBeNull();
      else expect(found).toMatch(refusal);
    });

  test("an address with a user or a password, also in an allowed network", async () => {
    for (const who of ["user@", ":word@", "user:word@"])
      expect(await fetched({ url: `http://${who}${LOOPBACK}:${port}/` })).toMatchObject({ problem: "address_refused" });
    expect(requests).toEqual([]);
  });

  test("every address outside an allowed block, also without TLS", async () => {
    const url = `http://127.0.0.1:${port}/`;
    expect(await fetched({ url }, { allow: ["127.0.0.0/30"] })).toMatchObject({ status: 200 });
    expect(await fetched({ url }, { allow: ["127.0.0.2", "10.0.0.0/8"] })).toMatchObject({
      problem: "address_refused",
    });
    expect(requests).toHaveLength(1);
  });

  test("an unknown host name, which is reported", async () => {
    const none: Resolve = async () => {
      throw new Error("ENOTFOUND");
    };
    const url = "https://nowhere.example.com/";
    expect(await fetched({ url }, { resolve: none })).toMatchObject({ problem: "address_unknown" });
    expect(await fetched({ url }, { resolve: async () => [] })).toMatchObject({ problem: "address_unknown" });
  });

  test("an unknown name and a name of any refused network give the same message, and only the detail tells them apart", async () => {
    const url = "https://inside.example.com/";
    const failures: EgressFailure[] = [];
    for (const resolve of [
      () => Promise.reject(new Error("ENOTFOUND")),
      async () => [],
      async () => ["10.0.0.7"],
      async () => ["169.254.169.254"],
      async () => ["fd00::1"],
      async () => ["192.0.2.1", "93.184.216.34"],
    ])
      failures.push(
        await clientOf({ allow: [], resolve })
          .get({ url, maxBytes: MOST_BYTES })
          .catch((error) => error),
      );
    expect(new Set(failures.map(({ message }) => message))).toEqual(
      new Set(["inside.example.com may not be fetched from: no public address is known for it"]),
    );
    expect(failures.map(({ detail }) => detail?.split(";")[0])).toEqual([
      ...Array(2).fill("no machine is known by its name"),
      ...["a private network", "a link-local network", "a private network", "for documentation"].map(
        (network) => `its address is ${network}`,
      ),
    ]);
  });
});

test("a name that resolves to another address later is requested at the address that was checked", async () => {
  const wanted = listening();
  const inner = listening();
  const port = await plain(wanted.listener);
  await new Promise<void>((resolve) => {
    const server = createPlain(inner.listener).listen(port, "127.0.0.2", resolve);
    closing.push(() => void server.close());
  });
  let times = 0;
  const resolve: Resolve = async () => [times++ === 0 ? "127.0.0.1" : "127.0.0.2"];
  const answer = await fetched({ url: `http://rebound.example.com:${port}/` }, { allow: ["127.0.0.1"], resolve });
  expect(answer).toMatchObject({ status: 200 });
  expect([times, wanted.requests.length, inner.requests.length]).toEqual([1, 1, 0]);
});

describe("the addresses of a host", () => {
  const allowed = ["10.0.0.0/8"].flatMap((text) => networkOf(text) ?? []);
  const foundFor = (url: string, found: readonly string[]) =>
    permittedAddresses(allowed, async () => found)(targetOf(url)).catch((error) => error.problem);

  test("are reached without TLS if all of them are in an allowed network, and with TLS also if they are public", async () => {
    const mixed = ["10.0.0.1", "8.8.8.8"];
    expect(await foundFor("http://files.example.com/", ["10.0.0.1", "10.0.0.2"])).toEqual(["10.0.0.1", "10.0.0.2"]);
    expect(await foundFor("http://files.example.com/", mixed)).toBe("address_refused");
    expect(await foundFor("https://files.example.com/", mixed)).toEqual(mixed);
  });

  test("are four at most, those of version 4 first", async () => {
    const found = ["2606:4700::1", "8.8.8.8", "2606:4700::2", "8.8.4.4", "1.1.1.1"];
    expect(await foundFor("https://files.example.com/", found)).toEqual([
      ...["8.8.8.8", "8.8.4.4", "1.1.1.1"],
      "2606:4700::1",
    ]);
  });

  test("are asked at the port that the address names, or at the usual one", () => {
    const ports = ["https://a.example.com/", "http://a.example.com/", "http://a.example.com:8080/"];
    expect(ports.map((url) => targetOf(url).port)).toEqual([443, 80, 8080]);
  });
});

test("another address of a host is tried if one cannot be connected to, but not if one gives a wrong answer", async () => {
  const { requests, listener } = listening();
  const port = await plain(listener);
  const url = `http://files.example.com:${port}/`;
  const options = { allow: ["127.0.0.0/8"], resolve: async () => ["127.0.0.2", "127.0.0.1"] };
  expect(await fetched({ url }, options)).toMatchObject({ status: 200 });
  await new Promise<void>((resolve) => {
    const wrong = createRaw((socket) => socket.on("error", () => {}).once("data", () => socket.end("SSH-2.0\r\n\r\n")));
    wrong.listen(port, "127.0.0.2", resolve);
    closing.push(() => void wrong.close());
  });
  expect(await fetched({ url }, options)).toMatchObject({ problem: "answer_wrong" });
  expect(requests).toHaveLength(1);
  const none = { ...options, resolve: async () => ["127.0.0.3", "127.0.0.4"] };
  expect(await fetched({ url }, none)).toEqual({
    problem: "unreachable",
    message: "files.example.com could not be reached, or broke off",
  });
});

test("another address of a host is tried if one does not answer, and a proxy of the environment is ignored", async () => {
  const { requests, listener } = listening();
  const port = await plain(listener);
  const resolve: Resolve = async () => ["127.0.0.3", "127.0.0.1"];
  const before = process.env.HTTP_PROXY;
  process.env.HTTP_PROXY = "http://127.0.0.1:9";
  try {
    const url = `http://files.example.com:${port}/`;
    expect(await fetched({ url }, { allow: ["127.0.0.0/8"], resolve })).toMatchObject({ status: 200 });
  } finally {
    if (before === undefined) delete process.env.HTTP_PROXY;
    else process.env.HTTP_PROXY = before;
  }
  expect(requests).toHaveLength(1);
});

describe("a redirect", () => {
  const leadingTo = (location: () => string, status = 302): Promise<number> =>
    plain((_, response) => response.writeHead(status, { location: location() }).end("elsewhere"));

  for (const status of [301, 302, 303, 307, 308])
    test(`of ${status} is followed, and its address is checked anew`, async () => {
      const { requests, listener } = listening();
      const port = await plain(listener);
      const from = await leadingTo(() => `http://127.0.0.1:${port}/next`, status);
      expect(await fetched({ url: `http://127.0.0.1:${from}/` })).toMatchObject({ status: 200, text: "a file" });
      const resolve: Resolve = async (host) => [host === "inner.example.com" ? "10.0.0.1" : LOOPBACK];
      const inner = await leadingTo(() => "https://inner.example.com/", status);
      expect(await fetched({ url: `http://127.0.0.1:${inner}/` }, { resolve })).toMatchObject({
        problem: "address_refused",
      });
      expect(requests).toHaveLength(1);
    });

  for (const location of [
    "file:///etc/passwd",
    "gopher://127.0.0.1/",
    "ftp://127.0.0.1/lot.csv",
    "http://10.0.0.1/",
    "http://169.254.169.254/",
    "http://user:word@127.0.0.1/",
    "http://[::ffff:10.0.0.1]/",
    "http://0x0a000001/",
    "http://",
  ])
    test(`to ${location} is refused`, async () => {
      const from = await leadingTo(() => location);
      expect(await fetched({ url: `http://127.0.0.1:${from}/` })).toMatchObject({ problem: "address_refused" });
    });

  test("is followed three times and no more", async () => {
    const seen: string[] = [];
    const port = await plain(({ url = "" }, response) => {
      seen.push(url);
      const left = Number(url.slice(1));
      if (left === 0) response.end("a file");
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    expect(await fetched({ url: `http://127.0.0.1:${port}/3` })).toMatchObject({ status: 200 });
    expect(seen).toEqual(["/3", "/2", "/1", "/0"]);
    seen.length = 0;
    expect(await fetched({ url: `http://127.0.0.1:${port}/4` })).toMatchObject({ problem: "redirect_wrong" });
    expect(seen).toEqual(["/4", "/3", "/2", "/1"]);
  });

  test("sends credentials to the same host only, and not again after it left the host", async () => {
    const credentials = { type: "basic", user: "lot", password: "secret:ö" } as const;
    const authorization = `Basic ${Buffer.from("lot:secret:ö").toString("base64")}`;
    const seen: [string, unknown][] = [];
    const home: number = await plain(({ url = "", headers }, response) => {
      seen.push([url, headers.authorization]);
      if (url === "/") response.writeHead(302, { location: "/same" }).end();
      else if (url === "/same") response.writeHead(302, { location: `http://127.0.0.1:${away}/away` }).end();
      else response.end("a file");
    });
    const away: number = await plain(({ url = "", headers }, response) => {
      seen.push([url, headers.authorization]);
      response.writeHead(302, { location: `http://127.0.0.1:${home}/back` }).end();
    });
    expect(await fetched({ url: `http://127.0.0.1:${home}/`, credentials })).toMatchObject({ status: 200 });
    expect(seen).toEqual([
      ["/", authorization],
      ["/same", authorization],
      ["/away", undefined],
      ["/back", undefined],
    ]);
  });

  test("sends other headers", async () => {
    const credentials = { type: "header", name: "X-Feed-Key", value: "secret" } as const;
    const { requests, listener } = listening();
    const away = await plain(listener);
    const home = await plain(({ url = "" }, response) => {
      requests.push({ method: "", url, headers: {} });
      response.writeHead(302, { location: `http://127.0.0.1:${away}/away` }).end();
    });
    await fetched({ url: `http://127.0.0.1:${away}/`, credentials });
    await fetched({ url: `http://127.0.0.1:${home}/`, credentials });
    expect(requests.map(({ headers }) => headers["x-feed-key"])).toEqual(["secret", undefined, undefined]);
  });

  test("without a location is the answer itself, as is another answer with one", async () => {
    for (const [status, headers] of [
      [302, {}],
      [201, { location: "/made" }],
    ] as const) {
      const port = await plain((_, response) => response.writeHead(status, headers).end());
      expect(await fetched({ url: `http://127.0.0.1:${port}/` })).toMatchObject({ status });
    }
  });
});

describe("a hostile server", () => {
  const WITHIN = { firstByteMs: 100 };

  test("that never answers is abandoned", async () => {
    const port = await raw(() => {});
    expect(await fetched({ url: `http://127.0.0.1:${port}/` }, { limits: WITHIN })).toMatchObject({
      problem: "too_late",
    });
  });

  test("whose name never resolves is abandoned", async () => {
    const resolve: Resolve = () => new Promise(() => {});
    const url = "https://slow.example.com/";
    expect(await fetched({ url }, { resolve, limits: WITHIN })).toMatchObject({ problem: "too_late" });
  });

  test("that sends its body byte by byte is abandoned when the whole takes too long", async () => {
    const port = await raw(endlessly("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", () => "1\r\na\r\n"));
    const limits = { wholeMs: 200 };
    expect(await fetched({ url: `http://127.0.0.1:${port}/`, maxBytes: 1e12 }, { limits })).toMatchObject({
      problem: "too_late",
    });
  });

  test("that stops within its body is abandoned when the whole takes too long", async () => {
    const port = await raw((socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"));
    expect(await fetched({ url: `http://127.0.0.1:${port}/` }, { limits: { wholeMs: 200 } })).toMatchObject({
      problem: "too_late",
    });
  });

  const BEGUN = "HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n";

  /** Reads the first piece of a body and waits for the second; `failure` is how that ends. */
  const secondPiece = async (options: Options, request: Partial<EgressRequest> & { readonly url: string }) => {
    const { body } = await clientOf(options).get({ maxBytes: 1e12, ...request });
    const pieces = body[Symbol.asyncIterator]();
    await pieces.next();
    return { failure: pieces.next().catch((error: unknown) => error) };
  };

  test("that sends too slowly is abandoned after 30 seconds of waiting", async () => {
    const closed = Promise.withResolvers<void>();
    const port = await raw((socket) => {
      socket.once("close", closed.resolve);
      socket.write(`${BEGUN}abc`);
    });
    const clock = fakeClock();
    const { failure } = await secondPiece({ clock }, { url: `http://127.0.0.1:${port}/` });
    clock.advance(30_001);
    expect(await failure).toMatchObject({
      problem: "too_late",
      message: "127.0.0.1 sent too slowly: less than 64 KiB a second",
    });
    await closed.promise;
  });

  test("that pauses is waited for while it is fast enough", async () => {
    const port = await raw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc");
      closing.push(() => socket.destroy());
      // Its speed is looked at a few times meanwhile.
      void timerTurns(3, 100).then(() => socket.end("def"));
    });
    expect(await fetched({ url: `http://127.0.0.1:${port}/` }, { clock: fakeClock() })).toMatchObject({
      text: "abcdef",
    });
  });

  test("is abandoned when nobody wants its answer any more", async () => {
    const closed = Promise.withResolvers<void>();
    const port = await raw((socket) => {
      socket.once("close", closed.resolve);
      socket.write(`${BEGUN}abc`);
    });
    const { promise: ended, resolve: end } = Promise.withResolvers<EgressFailure>();
    const { failure } = await secondPiece({}, { url: `http://127.0.0.1:${port}/`, ended });
    end(new EgressFailure("not_wanted", "The source is gone"));
    expect(await failure).toMatchObject({ problem: "not_wanted", message: "The source is gone" });
    await closed.promise;
  });

  test("that sends its headers byte by byte is abandoned", async () => {
    const port = await raw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nX-Slow: ");
      const drip = async (): Promise<void> => {
        await timerTurns(1, 10);
        if (!socket.destroyed) socket.write("a", () => void drip());
      };
      void drip();
    });
    expect(await fetched({ url: `http://127.0.0.1:${port}/` }, { limits: WITHIN })).toMatchObject({
      problem: "too_late",
    });
  });

  // [what it sends, how].
  const WRONG: readonly (readonly [what: string, say: (socket: Socket) => void])[] = [
    ["a header of megabytes", endlessly("HTTP/1.1 200 OK\r\nX-Big: ", () => "b".repeat(60_000))],
    ["headers without end", endlessly("HTTP/1.1 200 OK\r\n", () => `X-More: ${"b".repeat(6000)}\r\n`)],
    ["answers without end before the real one", endlessly("", () => "HTTP/1.1 103 Early Hints\r\nX-A: b\r\n\r\n")],
    ["no HTTP", (socket) => socket.end("SSH-2.0-OpenSSH_9.9\r\n\r\n")],
  ];
  for (const [what, say] of WRONG)
    test(`that sends ${what} is abandoned`, async () => {
      const port = await raw(say);
      expect(await fetched({ url: `http://127.0.0.1:${port}/` })).toMatchObject({ problem: "answer_wrong" });
    });

  test("may send eight answers before the real one", async () => {
    const early = "HTTP/1.1 103 Early Hints\r\nX-A: b\r\n\r\n".repeat(8);
    const port = await raw((socket) => {
      socket.write(early);
      // Those that come together with the real one are not told apart from it.
      void timerTurns(1, 50).then(() => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na"));
    });
    expect(await fetched({ url: `http://127.0.0.1:${port}/` })).toMatchObject({ status: 200, text: "a" });
  });

  test("that sends just as many bytes as are allowed is read, whether or not it announces them", async () => {
    for (const head of ["Content-Length: 3\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"]) {
      const port = await raw((socket) => socket.end(`HTTP/1.1 200 OK\r\n${head}`));
      expect(await fetched({ url: `http://127.0.0.1:${port}/`, maxBytes: 3 })).toMatchObject({ text: "abc" });
    }
  });

  test("that sends too many bytes is abandoned, whether or not it announces them", async () => {
    const said = await plain((_, response) => response.writeHead(200, { "content-length": "1001" }).end("b"));
    expect(await fetched({ url: `http://127.0.0.1:${said}/`, maxBytes: 1000 })).toMatchObject({
      problem: "too_large",
    });
    const unsaid = await raw(endlessly("HTTP/1.1 200 OK\r\n\r\n", () => "b".repeat(600)));
    expect(await fetched({ url: `http://127.0.0.1:${unsaid}/`, maxBytes: 1000 })).toMatchObject({
      problem: "too_large",
    });
  });

  test("that breaks off within its body causes a failure, not a shorter file", async () => {
    for (const head of ["Content-Length: 100\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"]) {
      const port = await raw((socket) => socket.end(`HTTP/1.1 200 OK\r\n${head}`));
      expect(await fetched({ url: `http://127.0.0.1:${port}/` })).toMatchObject({ problem: "unreachable" });
    }
  });

  test("that does not exist causes a failure", async () => {
    const port = await plain(() => {});
    for (const close of closing.splice(0)) close();
    expect(await fetched({ url: `http://127.0.0.1:${port}/` })).toMatchObject({ problem: "unreachable" });
  });

  test("that sends a decompression bomb does not get it decompressed", async () => {
    const packed = gzipSync(Buffer.alloc(50_000_000));
    const port = await plain((_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(packed));
    const answer = await fetched({ url: `http://127.0.0.1:${port}/` });
    expect(answer).toMatchObject({ status: 200, headers: { "content-encoding": "gzip" } });
    expect("bytes" in answer && answer.bytes.equals(packed)).toBe(true);
  });
});

test("the connection is closed when a body is not read", async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const port = await raw((socket) => {
    socket.on("close", () => resolve());
    endlessly("HTTP/1.1 200 OK\r\n\r\n", () => "b".repeat(600))(socket);
  });
  const answer = await clientOf().get({ url: `http://127.0.0.1:${port}/`, maxBytes: MOST_BYTES });
  answer.discard();
  await closed;
  expect(answer.status).toBe(200);
});

describe("a post", () => {
  const posted = async (port: number, options: Options = {}) => {
    try {
      return await clientOf(options).post({
        url: `http://127.0.0.1:${port}/hook`,
        headers: { "x-own": "1" },
        body: "é",
      });
    } catch (error) {
      if (!(error instanceof EgressFailure)) throw error;
      return { problem: error.problem };
    }
  };

  test("sends its body, and gets the status, the pause and the text of the answer", async () => {
    const received: unknown[] = [];
    const port = await plain(async (request, response) => {
      let body = "";
      for await (const piece of request) body += piece;
      received.push([request.method, request.headers["x-own"], request.headers["content-length"], body]);
      response.writeHead(503, { "retry-after": "120" }).end("busy");
    });
    expect(await posted(port)).toEqual({ status: 503, retryAfterSeconds: 120, beginning: "busy" });
    expect(received).toEqual([["POST", "1", "2", "é"]]);
  });

  test("takes a redirect for its answer", async () => {
    const { requests, listener } = listening();
    const elsewhere = await plain(listener);
    const port = await plain((_, response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${elsewhere}/` }).end(),
    );
    expect(await posted(port)).toMatchObject({ status: 307 });
    expect(requests).toEqual([]);
  });

  test("reads one KiB of an answer without end, and closes the connection", async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const port = await raw((socket) => {
      socket.on("close", () => resolve());
      endlessly("HTTP/1.1 200 OK\r\n\r\n", () => "b".repeat(600))(socket);
    });
    expect(await posted(port)).toMatchObject({ status: 200, beginning: "b".repeat(1024) });
    await closed;
  });

  // [what the receiver does, how].
  const SLOW: readonly (readonly [what: string, say: (socket: Socket) => void])[] = [
    ["says nothing", () => {}],
    ["never ends its headers", (socket) => void socket.write("HTTP/1.1 200 OK\r\nX-A: ")],
    ["never ends its answer", (socket) => void socket.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\na")],
  ];
  for (const [what, say] of SLOW)
    test(`ends in time with a receiver that ${what}`, async () => {
      expect(await posted(await raw(say), { limits: { postMs: 50 } })).toEqual({ problem: "too_late" });
    });

  test("does not reach an address that is not allowed", async () => {
    const { requests, listener } = listening();
    expect(await posted(await plain(listener), { allow: [] })).toEqual({ problem: "address_refused" });
    expect(requests).toEqual([]);
  });

  test("does not wait for the rest of an answer of which one KiB is there", async () => {
    const port = await raw((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n${"b".repeat(1024)}`),
    );
    expect(await posted(port)).toMatchObject({ status: 200, beginning: "b".repeat(1024) });
  });

  test("has no pause if the answer names none that can be read", async () => {
    for (const headers of [{}, { "retry-after": "soon" }]) {
      const port = await plain((_, response) => response.writeHead(503, headers).end());
      expect(await posted(port)).toMatchObject({ status: 503, retryAfterSeconds: null });
    }
  });

  test("waits until the date that an answer names, counted from its own", async () => {
    const headers = { date: "Sat, 14 Mar 2026 09:26:00 GMT", "retry-after": "Sat, 14 Mar 2026 09:27:00 GMT" };
    const port = await plain((_, response) => response.writeHead(429, headers).end());
    expect(await posted(port)).toMatchObject({ retryAfterSeconds: 60 });
  });
});
