import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { compose } from "../../app/compose.ts";
import { readConfig } from "../../app/config.ts";
import { openEvents } from "../../app/log.ts";
import { DEEP } from "../support/depth.ts";

setDefaultTimeout(300_000);

const MANY = 50;
/** What raw connections send: nothing, or the beginning of a request that never comes. */
const BEGINNINGS = ["", "GET /api/veh", "GET /api/vehicles HTTP/1.1\r\nHost: loc"];

let service: Awaited<ReturnType<typeof compose>>;
const sockets: Socket[] = [];

beforeAll(async () => {
  const write = (): void => {};
  const log = { events: openEvents("silent", { write }), access: write };
  const config = readConfig({
    DATABASE_URL: "sqlite::memory:",
    PORT: "0",
    BOOTSTRAP_API_KEY: "silent-7f3a9c1e5b2d8046af19c3e7d4b0f265",
  });
  service = await compose(config, log);
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await service.close();
});

/** A connection that says so much and waits. `closed` resolves when the service ends it. */
const opened = async (text: string) => {
  const { hostname, port } = new URL(service.server.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on("error", () => {});
  // Without a reader, the end of the connection would not be seen.
  socket.resume();
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
  if (text !== "") socket.write(text);
  return { closed };
};

test(`${MANY} connections that say nothing, or never finish a request, keep nobody from an answer`, async () => {
  const silent = await Promise.all(
    Array.from({ length: MANY }, (_, place) => opened(BEGINNINGS[place % BEGINNINGS.length] ?? "")),
  );
  const { status } = await fetch(`${service.server.url}/health/live`);
  expect(status).toBe(200);
  // The runtime gives each 12 seconds for the head of a request. Waiting for that is left to the deep run.
  if (!DEEP) return;
  await Promise.all(silent.map(({ closed }) => closed));
  expect(sockets.filter(({ destroyed }) => !destroyed)).toEqual([]);
});
