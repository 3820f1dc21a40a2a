import { afterAll, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { LongAnswers } from "../../../../adapters/http/protocol/long-answers.ts";
import { ARRAY, LongBody } from "../../../../adapters/http/protocol/long-body.ts";
import { eventually } from "../../../support/eventually.ts";

/** The server's own limit is 30; the runtime checks every few seconds. */
const IDLE_SECONDS = 1;
const WAIT_MS = 20_000;
const PIECE = JSON.stringify("x".repeat(100_000));
/** More than fits the buffers between the service and a client that does not read. */
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

/** The requests of silent readers that are still there. */
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

/** Asks for an answer and takes nothing of it, until some of it is made. */
const beSilent = async (): Promise<void> => {
  const before = made;
  const socket = connect(Number(server.port), "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => {});
  await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
  // Not before: connecting may start it to flow again.
  socket.pause();
  socket.write("GET /silent HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await eventually(
    () => made,
    (pieces) => pieces > before,
    WAIT_MS,
  );
};

test("a reader that takes nothing has little made for it, is closed, and the next long answer has its turn", async () => {
  // The runtime looks for idle connections every few seconds, and may take a new one for idle, too.
  const ask = () => fetch(server.url).catch(() => null);
  const askBeside = async () => {
    if (silent.size === 0) await beSilent();
    const answer = await ask();
    const isBeside = silent.size > 0;
    if (!isBeside) await answer?.body?.cancel();
    return isBeside ? answer : null;
  };
  const beside = await eventually(askBeside, (answer) => answer !== null, WAIT_MS);
  expect(beside?.status).toBe(503);
  const readWhole = async (): Promise<unknown> => {
    const answer = await ask();
    return answer?.status === 200 ? answer.json().catch(() => null) : null;
  };
  const pieces = await eventually(readWhole, (read) => read !== null, WAIT_MS);
  expect(silent.size).toBe(0);
  expect(made).toBeLessThan((PIECES / 2) * sockets.length);
  expect(pieces).toHaveLength(PIECES);
}, 60_000);
