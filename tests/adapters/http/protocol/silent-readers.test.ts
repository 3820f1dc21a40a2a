import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { LongAnswers } from "../../../../adapters/http/protocol/long-answers.ts";
import { ARRAY, LongBody } from "../../../../adapters/http/protocol/long-body.ts";
import { eventually } from "../../../support/eventually.ts";

setDefaultTimeout(300_000);

/** The server's own limit is 30; the runtime checks every few seconds. */
const IDLE_SECONDS = 1;
const PIECE = JSON.stringify("x".repeat(100_000));
/** More than fits into the buffers between the service and a client that does not read. */
const PIECES = 400;

const READER = { subject: "key:1", group: null, mayGoOn: () => true };
const answers = new LongAnswers({ bytes: 128 * 2 ** 20, waitMs: 10 });
/** The pieces made for silent readers. */
let made = 0;
const body = (isSilent: boolean) =>
  new LongBody(
    Array.from({ length: PIECES }, () => () => {
      if (isSilent) made++;
      return [PIECE];
    }),
    ARRAY,
  );

/** The requests of silent readers that are still connected. */
const silent = new Set<Request>();

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: IDLE_SECONDS,
  async fetch(request) {
    const isSilent = request.url.endsWith("/silent");
    if (isSilent) {
      silent.add(request);
      request.signal.addEventListener("abort", () => silent.delete(request));
    }
    const stream = await answers.begin({
      reader: READER,
      body: body(isSilent),
      gone: request.signal,
      failed: () => {},
    });
    return stream === null ? new Response(null, { status: 503 }) : new Response(stream);
  },
});
const sockets: Socket[] = [];
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await server.stop(true);
});

/** Requests an answer and reads nothing of it; resolves once some of it is computed. */
const connectSilently = async (): Promise<void> => {
  const before = made;
  const socket = connect(Number(server.port), "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => {});
  await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
  // Not before: connecting may resume the stream.
  socket.pause();
  socket.write("GET /silent HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await eventually(
    () => made,
    (pieces) => pieces > before,
  );
};

test("a client that reads nothing gets little computed, is disconnected, and then lets the next long answer through", async () => {
  // The runtime checks for idle connections every few seconds, and may treat a new one as idle too.
  const ask = () => fetch(server.url).catch(() => null);
  const askMeanwhile = async () => {
    if (silent.size === 0) await connectSilently();
    const answer = await ask();
    const isMeanwhile = silent.size > 0;
    if (!isMeanwhile) await answer?.body?.cancel();
    return isMeanwhile ? answer : null;
  };
  const meanwhile = await eventually(askMeanwhile, (answer) => answer !== null);
  expect(meanwhile?.status).toBe(503);
  const readWhole = async (): Promise<unknown> => {
    const answer = await ask();
    return answer?.status === 200 ? answer.json().catch(() => null) : null;
  };
  const pieces = await eventually(readWhole, (read) => read !== null);
  expect(silent.size).toBe(0);
  expect(made).toBeLessThan((PIECES / 2) * sockets.length);
  expect(pieces).toHaveLength(PIECES);
});
