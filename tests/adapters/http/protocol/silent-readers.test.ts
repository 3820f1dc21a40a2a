import { afterAll, expect, test } from "bun:test";
import { connect } from "node:net";
import { LongAnswers } from "../../../../adapters/http/protocol/long-answers.ts";
import { ARRAY, LongBody } from "../../../../adapters/http/protocol/long-body.ts";
import { eventually } from "../../../support/eventually.ts";

/** The server's own limit is 30; the runtime checks every few seconds. */
const IDLE_SECONDS = 1;
const CLOSED_WITHIN_MS = 20_000;
const PIECE = JSON.stringify("x".repeat(100_000));
/** More than fits the buffers between the service and a client that does not read. */
const PIECES = 400;

const READER = { subject: "key:1", group: null, mayGoOn: () => true };
const answers = new LongAnswers({ bytes: 128 * 2 ** 20, waitMs: 10 });
const made = { pieces: 0 };
const body = () =>
  new LongBody(
    Array.from({ length: PIECES }, () => () => {
      made.pieces++;
      return [PIECE];
    }),
    ARRAY,
  );

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: IDLE_SECONDS,
  async fetch(request) {
    const stream = await answers.begin({ reader: READER, body: body(), gone: request.signal, failed: () => {} });
    return stream === null ? new Response(null, { status: 503 }) : new Response(stream);
  },
});
afterAll(() => server.stop(true));

test("a reader that takes nothing has little made for it, is closed, and the next long answer has its turn", async () => {
  const socket = connect(Number(server.port), "127.0.0.1");
  socket.on("error", () => {});
  await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
  // Not before: connecting may start it to flow again.
  socket.pause();
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  try {
    await eventually(
      () => made.pieces,
      (pieces) => pieces > 0,
      CLOSED_WITHIN_MS,
    );
    // The runtime looks for idle connections every few seconds, and may take a new one for idle, too.
    const ask = () => fetch(server.url).catch(() => null);
    const answered = await eventually(ask, (answer) => answer !== null, CLOSED_WITHIN_MS);
    expect(answered?.status).toBe(503);
    const response = await eventually(ask, (answer) => answer?.status === 200, CLOSED_WITHIN_MS);
    expect(made.pieces).toBeLessThan(PIECES / 2);
    expect(await response?.json()).toHaveLength(PIECES);
  } finally {
    socket.destroy();
  }
}, 60_000);
