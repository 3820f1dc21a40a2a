import { afterEach, describe, expect, test } from "bun:test";
import { createServer as createPlain } from "node:http";
import { createServer as createRaw } from "node:net";
import { guardedEgress } from "../../../adapters/egress/client.ts";
import type { Resolve } from "../../../adapters/egress/target.ts";
import { systemClock } from "../../../adapters/system/clock.ts";
import { networkOf } from "../../../core/egress/networks.ts";
import {
  clientOf,
  closeServers,
  closing,
  endlessly,
  fetched,
  LOOPBACK,
  listening,
  MOST_BYTES,
  plain,
  raw,
  secure,
} from "./servers.ts";

afterEach(closeServers);

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
