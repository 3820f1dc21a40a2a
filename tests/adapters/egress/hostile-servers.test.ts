import { afterEach, describe, expect, test } from "bun:test";
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import type { Resolve } from "../../../adapters/egress/target.ts";
import { EgressFailure, type EgressRequest } from "../../../core/egress/egress.ts";
import { fakeClock } from "../../support/clock.ts";
import { timerTurns } from "../../support/timer-turns.ts";
import { clientOf, closeServers, closing, endlessly, fetched, type Options, plain, raw } from "./servers.ts";

afterEach(closeServers);

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
