import { describe, expect, test } from "bun:test";
import { eventsIn } from "../../client/src/events.ts";
import { type InventoryOptions, type StreamStep, VehicleInventory } from "../../client/src/index.ts";
import { ANSWERING } from "../support/engines.ts";
import { feedHasReachedNow } from "../support/horizon.ts";
import { NORTH, vehicleBody } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";
import { failure } from "./failure.ts";

/** More than a key may have open at once. */
const MANY = 7;

const answerOf = (...pieces: readonly string[]): Response =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      },
    }),
  );

test("events are read however their text is cut, and a connection that falls silent is given up", async () => {
  const answer = answerOf(
    ": open\n\nid: a\nda",
    'ta: {"é":',
    "1}\n",
    "\nid: b\n\nevent: reset\nid: \ndata: x\n\n",
    "id: cut",
  );
  const read = await Array.fromAsync(eventsIn(answer, 5));
  expect(read).toEqual([
    { id: "a", event: "message", data: '{"é":1}' },
    { id: "b", event: "message", data: "" },
    { id: "", event: "reset", data: "x" },
  ]);
});

for (const engine of ANSWERING)
  describe(`the client's stream on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    const client = (options: Partial<InventoryOptions> = {}) =>
      new VehicleInventory({ apiKey: fixture.service.superAdminKey, baseUrl: fixture.service.url, ...options });
    const add = (price: number) => client().vehicles.create(vehicleBody(NORTH, { price }));
    const next = async (steps: AsyncIterator<StreamStep>): Promise<StreamStep> => (await steps.next()).value;
    const nowOf = async (): Promise<string> => {
      await feedHasReachedNow(engine, fixture.service.databaseUrl);
      for await (const { op, cursor } of client().changes.stream({ after: "now" }))
        if (op === "begin") return cursor ?? "";
      throw new Error("it has no end");
    };

    test("tells each change with its record and cursor, and goes on behind the last one when the connection breaks", async () => {
      const after = await nowOf();
      const asked: string[] = [];
      let cut = (): void => {};
      /** The service's answers through a connection that the test cuts. */
      const cutting = async (url: string, init: RequestInit): Promise<Response> => {
        asked.push(url);
        const { body, ...answer } = await fetch(url, init);
        const wire = new TransformStream<Uint8Array, Uint8Array>();
        const gone = new AbortController();
        cut = () => gone.abort();
        body?.pipeTo(wire.writable, { signal: gone.signal }).catch(() => {});
        return new Response(wire.readable, answer);
      };
      const steps = client({ fetch: cutting })
        .changes.stream({ after, kinds: ["vehicle"] })
        [Symbol.asyncIterator]();
      const first = next(steps);
      const { id } = await add(31);
      const change = await first;
      expect(change).toMatchObject({ op: "upsert", kind: "vehicle", id, record: { price: 31 } });
      cut();
      const second = next(steps);
      await client().vehicles.remove(id);
      const removal = await second;
      expect(removal).toMatchObject({ op: "remove", kind: "vehicle", id, record: null });
      expect(asked.map((url) => new URL(url).searchParams.get("after"))).toEqual([after, change.cursor]);
      expect(removal.cursor).not.toBe(change.cursor);
      await steps.return?.();
    });

    test("leaves no connection behind, ends with its signal, and throws what no waiting can change", async () => {
      for (let round = 0; round < MANY; round++) expect(await nowOf()).not.toBe("");
      const controller = new AbortController();
      const steps = client().changes.stream({ after: "now" }, { signal: controller.signal })[Symbol.asyncIterator]();
      expect((await next(steps)).op).toBe("begin");
      const waiting = steps.next();
      controller.abort("enough");
      expect(await failure(waiting)).toBe("enough" as never);
      const stranger = client({ apiKey: "vis_web_no_key" }).changes.stream()[Symbol.asyncIterator]();
      expect((await failure(stranger.next())).name).toBe("KeyRefused");
    });

    test("is the API's answer for those who await it", async () => {
      const response = await client().changes.stream({ after: "now" });
      expect([response.status, response.headers.get("content-type")]).toEqual([
        200,
        "text/event-stream; charset=utf-8",
      ]);
      await response.body?.cancel();
    });
  });
