import { describe, expect, test } from "bun:test";
import type { Vehicle } from "../../core/vehicles/vehicle.ts";
import { ENGINES } from "../support/engines.ts";
import { EventReader, type ReceivedEvent } from "../support/event-reader.ts";
import { eventually } from "../support/eventually.ts";
import { feedHasReachedNow } from "../support/horizon.ts";
import type { ChangePage } from "../support/inventory-copy.ts";
import { testMovingClock } from "../support/moving-clock.ts";
import { type CreatedKey, create, dealerBody, keyBody, vehicleBody } from "../support/sample-records.ts";
import { pairs, startService } from "../support/service.ts";
import { type ServiceFixture, serviceFixture } from "../support/service-fixture.ts";

const MONTH_SECONDS = 31 * 24 * 60 * 60;
const MOST_STREAMS = 5;

/** What ends the rights of a key that is bound to a dealer, and how a held request is answered then. */
const ENDINGS: readonly {
  readonly name: string;
  readonly end: (fixture: ServiceFixture, key: CreatedKey, other: number) => Promise<{ readonly status: number }>;
  readonly status: number;
}[] = [
  { name: "was revoked", end: ({ api }, { id }) => api("POST", `/api/keys/${id}/revoke`), status: 401 },
  {
    name: "lost its permission",
    end: ({ api }, { id }) => api("DELETE", `/api/keys/${id}/permissions/vehicles/read`),
    status: 403,
  },
  {
    name: "was bound to another dealer",
    end: ({ api }, { id }, other) => api("PUT", `/api/keys/${id}`, { body: { dealer_id: other } }),
    status: 400,
  },
];

for (const engine of ENGINES)
  describe(`waiting for changes on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    const newDealer = async (): Promise<number> => (await create(fixture.api, "/api/dealers", dealerBody())).id;
    const newVehicle = (dealer: number) => create<Vehicle>(fixture.api, "/api/vehicles", vehicleBody(dealer));
    const keyOf = (dealer: number) =>
      create<CreatedKey>(fixture.api, "/api/keys", keyBody({ dealer_id: dealer, permissions: pairs("vehicles:read") }));
    const open = (key: string, { query = "", last }: { readonly query?: string; readonly last?: string } = {}) =>
      EventReader.open(`${fixture.service.url}/api/changes/stream?${query}`, {
        "x-api-key": key,
        ...(last !== undefined && { "last-event-id": last }),
      });
    const nextOf = async (stream: EventReader): Promise<ReceivedEvent> => {
      const event = await stream.next();
      if (event === null) throw new Error("the stream has ended");
      return event;
    };
    const cursorOf = async (key: string): Promise<string> =>
      (await fixture.api<ChangePage>("GET", "/api/changes?limit=1000", { key })).body.meta.next;
    const held = (key: string, after: string) =>
      fixture.api<ChangePage>("GET", `/api/changes?wait=25&after=${encodeURIComponent(after)}`, { key });

    test("a stream sends the inventory and then each change as an event, and goes on behind the last one", async () => {
      const dealer = await newDealer();
      const { id } = await newVehicle(dealer);
      const { api_key: key } = await keyOf(dealer);
      await feedHasReachedNow(engine, fixture.service.databaseUrl);
      const stream = await open(key);
      expect(stream.response.headers.get("content-type")).toStartWith("text/event-stream");
      const first = await nextOf(stream);
      const read = await fixture.api("GET", `/api/vehicles/${id}`);
      expect(first.event).toBe("message");
      expect(JSON.parse(first.data)).toMatchObject({ kind: "vehicle", op: "upsert", id, record: read.body });
      const { id: later } = await newVehicle(dealer);
      expect(JSON.parse((await nextOf(stream)).data)).toMatchObject({ id: later });
      await fixture.api("DELETE", `/api/vehicles/${id}`);
      const removed = { kind: "vehicle", op: "remove", id, dealer_id: dealer, record: null };
      expect(JSON.parse((await nextOf(stream)).data)).toMatchObject(removed);
      stream.close();
      const again = await open(key, { last: first.id ?? "", query: "after=ignored-beside-it" });
      expect(JSON.parse((await nextOf(again)).data)).toMatchObject({ id: later });
      expect(JSON.parse((await nextOf(again)).data)).toMatchObject(removed);
      again.close();
    });

    test("with `now`, a stream and a page begin with what changes next, and go on behind where they began", async () => {
      const dealer = await newDealer();
      await newVehicle(dealer);
      const { api_key: key } = await keyOf(dealer);
      await feedHasReachedNow(engine, fixture.service.databaseUrl);
      const page = (await fixture.api<ChangePage>("GET", "/api/changes?after=now", { key })).body;
      expect([page.data, page.meta.more]).toEqual([[], false]);
      const stream = await open(key, { query: "after=now" });
      const begin = await nextOf(stream);
      expect([begin.event, begin.data]).toEqual(["begin", "{}"]);
      stream.close();
      const { id } = await newVehicle(dealer);
      const later = await open(key, { last: begin.id ?? "", query: "after=now" });
      expect(JSON.parse((await nextOf(later)).data)).toMatchObject({ kind: "vehicle", op: "upsert", id });
      later.close();
      const next = await fixture.api<ChangePage>("GET", `/api/changes?after=${page.meta.next}&wait=25`, { key });
      expect(next.body.data.map((change) => change.id)).toEqual([id]);
    });

    test("a held request is answered when something changes for its reader, and by nothing else", async () => {
      const [own, other] = [await newDealer(), await newDealer()];
      const { api_key: key } = await keyOf(own);
      const answer = held(key, await cursorOf(key));
      await newVehicle(other);
      const { id } = await newVehicle(own);
      const { body } = await answer;
      expect(body.data.map((change) => change.id)).toEqual([id]);
    });

    for (const { name, end, status } of ENDINGS)
      test(`a stream ends, and a held request is answered ${status}, when its key ${name}`, async () => {
        const [dealer, other] = [await newDealer(), await newDealer()];
        const key = await keyOf(dealer);
        const after = await cursorOf(key.api_key);
        const stream = await open(key.api_key, { query: `after=${encodeURIComponent(after)}` });
        const answer = held(key.api_key, after);
        expect((await end(fixture, key, other)).status).toBe(200);
        expect(await stream.next()).toBeNull();
        expect((await answer).status).toBe(status);
      });

    test(`a key has ${MOST_STREAMS} streams open, and another one when a client has gone away`, async () => {
      const { api_key: key } = await keyOf(await newDealer());
      const streams = await Promise.all(Array.from({ length: MOST_STREAMS }, () => open(key)));
      const refused = await fixture.api<{ code: string }>("GET", "/api/changes/stream", { key });
      expect([refused.status, refused.body.code]).toEqual([429, "rate_limit_exceeded"]);
      streams[0]?.close();
      streams[0] = await eventually(
        () => open(key).catch(() => null),
        (stream) => stream !== null,
      ).then((stream) => stream as EventReader);
      for (const stream of streams) stream.close();
    });

    test("a HEAD request for a stream is answered at once, and opens none", async () => {
      const { api_key: key } = await keyOf(await newDealer());
      for (let time = 0; time <= MOST_STREAMS; time++)
        expect((await fixture.api("HEAD", "/api/changes/stream", { key })).status).toBe(200);
    });

    testMovingClock("after 30 days a cursor has expired, and its stream begins anew", async () => {
      const dealer = await newDealer();
      const { id } = await newVehicle(dealer);
      const { api_key: key } = await keyOf(dealer);
      const last = await cursorOf(key);
      await fixture.service.pass(MONTH_SECONDS);
      const { status, body } = await fixture.api<{ code: string }>("GET", `/api/changes?after=${last}`, { key });
      expect([status, body.code]).toEqual([410, "cursor_expired"]);
      const stream = await open(key, { last });
      expect(await nextOf(stream)).toMatchObject({ event: "reset", id: "" });
      expect(JSON.parse((await nextOf(stream)).data)).toMatchObject({ kind: "vehicle", op: "upsert", id });
      stream.close();
    });

    test("when the service stops, held requests are answered and streams end", async () => {
      const service = await startService(engine);
      await feedHasReachedNow(engine, service.databaseUrl);
      const { next } = (await service.api<ChangePage>("GET", "/api/changes")).body.meta;
      const stream = await EventReader.open(`${service.url}/api/changes/stream?after=${next}`, {
        "x-api-key": service.superAdminKey,
      });
      const answer = service.api<ChangePage>("GET", `/api/changes?wait=25&after=${next}`);
      // A request that is answered afterwards has not overtaken the one before.
      expect((await service.api("GET", "/api/me")).status).toBe(200);
      await service.close();
      expect((await answer).body.data).toEqual([]);
      expect(await stream.next()).toBeNull();
    });
  });
