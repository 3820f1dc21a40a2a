import { describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { expectReply } from "../../support/cases.ts";
import { ENGINES } from "../../support/engines.ts";
import { eventually } from "../../support/eventually.ts";
import { testMovingClock } from "../../support/moving-clock.ts";
import { parsed, type RawReply } from "../../support/raw.ts";
import { type CreatedKey, create, keyBody } from "../../support/sample-records.ts";
import { pairs } from "../../support/service.ts";
import { importsIn } from "../../support/waiting-import.ts";
import { CSV, HEAD, importsOn } from "./imports.ts";

const FILE = `${HEAD}\nA1,,2020,Honda,Civic,9000\n`;

/** An upload whose sender does not finish. */
interface SlowUpload {
  readonly socket: Socket;
  sendMore(): void;
  /** The answer; `null` until it arrives. */
  answer(): RawReply | null;
}

const chunkOf = (bytes: Uint8Array | string): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), Buffer.from(bytes), Buffer.from("\r\n")]);

/** Begins to send a file. */
const slowUpload = (
  url: string,
  key: string,
  { start = FILE, query = "", ...headers }: Readonly<Record<string, string>> = {},
): SlowUpload => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = "";
  socket.on("data", (bytes) => (received += bytes));
  socket.on("error", () => {});
  const lines = Object.entries({ "X-API-Key": key, "Transfer-Encoding": "chunked", ...headers });
  socket.write(
    `POST /api/imports?${query} HTTP/1.1\r\nHost: localhost\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`,
  );
  socket.write(chunkOf(start));
  return {
    socket,
    sendMore: () => void socket.write(chunkOf("\n")),
    answer: () => (received.includes("\r\n\r\n") ? parsed(received) : null),
  };
};

for (const engine of ENGINES)
  describe(`imports whose files arrive slowly on ${engine.name}`, () => {
    const { fixture, newDealer, post } = importsOn(engine);

    const arriving = (): Promise<number> => importsIn(fixture.service.databaseUrl, "arriving");

    const newKey = async (): Promise<string> => {
      const dealer_id = await newDealer();
      const body = keyBody({ dealer_id, permissions: pairs("vehicles:write") });
      return (await create<{ id: number; api_key: string }>(fixture.api, "/api/keys", body)).api_key;
    };

    testMovingClock("lose their places to others, and the answer says why", async () => {
      const { url, pass } = fixture.service;
      const keys = [await newKey(), await newKey(), await newKey()];
      const uploads = keys.flatMap((key) => [
        slowUpload(url, key, { "Content-Type": "text/csv" }),
        slowUpload(url, key, { "Content-Type": "text/csv" }),
      ]);
      await eventually(arriving, (count) => count === uploads.length);
      // A file that is still arriving is no import yet.
      for (const key of keys)
        expectReply(await fixture.api("GET", "/api/imports", { key }), { status: 200, has: { data: [] } });
      const key = await newKey();
      const waiting = post({ key, raw: FILE, headers: CSV });
      let isAnswered = false;
      void waiting.then(() => (isAnswered = true));
      await eventually(async () => {
        await pass(5);
        return isAnswered;
      }, Boolean);
      expectReply(await waiting, { status: 429, code: "too_many_jobs" });
      await eventually(async () => {
        await pass(31);
        for (const { sendMore, answer } of uploads) if (answer() === null) sendMore();
        return uploads.every(({ answer }) => answer() !== null);
      }, Boolean);
      for (const { answer, socket } of uploads) {
        expect(answer()?.status).toBe(408);
        expect(JSON.parse(answer()?.text ?? "")).toMatchObject({
          code: "upload_too_slow",
          error: expect.stringContaining("64 KiB a second"),
        });
        socket.destroy();
      }
      expect(await arriving()).toBe(0);
      expectReply(await post({ key, raw: FILE, headers: CSV }), { status: 202 });
    });

    test("wait for a place while two of their dealer arrive, and take the first that becomes free", async () => {
      const key = await newKey();
      const begin = () => slowUpload(fixture.service.url, key, { "Content-Type": "text/csv" });
      const uploads = [begin(), begin()];
      await eventually(arriving, (count) => count === uploads.length);
      const waiting = post({ key, raw: FILE, headers: CSV });
      uploads[0]?.socket.write("0\r\n\r\n");
      expectReply(await waiting, { status: 202 });
      expect(uploads[1]?.answer()).toBeNull();
      uploads[1]?.socket.write("0\r\n\r\n");
      await eventually(
        async () => uploads[1]?.answer()?.status,
        (status) => status === 202,
      );
      for (const { socket } of uploads) socket.destroy();
    });

    test.each([
      ["a key that was bound to another dealer meanwhile", {}, "not_your_dealer"],
      [
        "a key that lost the permission to remove missing vehicles meanwhile",
        { query: "mode=snapshot&missing=remove" },
        "permission_missing",
      ],
    ] as const)("are refused at the end to %s", async (_, { query = "" }: { readonly query?: string }, code) => {
      const dealer_id = await newDealer();
      const permissions = pairs("vehicles:write", "vehicles:delete");
      const made = await create<CreatedKey>(fixture.api, "/api/keys", keyBody({ dealer_id, permissions }));
      const upload = slowUpload(fixture.service.url, made.api_key, { "Content-Type": "text/csv", query });
      await eventually(arriving, (count) => count === 1);
      const body = query === "" ? { dealer_id: await newDealer() } : { permissions: pairs("vehicles:write") };
      expectReply(await fixture.api("PUT", `/api/keys/${made.id}`, { body }), { status: 200 });
      upload.socket.write("0\r\n\r\n");
      await eventually(
        async () => upload.answer(),
        (reply) => reply !== null,
      );
      expect(upload.answer()?.status).toBe(403);
      expect(JSON.parse(upload.answer()?.text ?? "")).toMatchObject({ code });
      upload.socket.destroy();
      expect(await arriving()).toBe(0);
      expectReply(await fixture.api("GET", `/api/imports?dealer_id=${dealer_id}`), { status: 200, has: { data: [] } });
    });
  });
