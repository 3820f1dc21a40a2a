import { afterEach, describe, expect, test } from "bun:test";
import type { Socket } from "node:net";
import { EgressFailure } from "../../../core/egress/egress.ts";
import { clientOf, closeServers, endlessly, listening, type Options, plain, raw } from "./servers.ts";

afterEach(closeServers);

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
