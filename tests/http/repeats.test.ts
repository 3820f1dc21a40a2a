import { describe, expect, test } from "bun:test";
import { expectReply } from "../support/cases.ts";
import type { Reply, Sent } from "../support/client.ts";
import { ENGINES } from "../support/engines.ts";
import { testMovingClock } from "../support/moving-clock.ts";
import {
  type Caller,
  type Created,
  create,
  dealerBody,
  feedBody,
  keyBody,
  NORTH,
  SOUTH,
  userBody,
  vehicleBody,
} from "../support/sample-records.ts";
import { pairs } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const HOUR = 3600;
let names = 0;
const freshName = (): string => `change-${++names}`;

interface KeyAnswer extends Created {
  readonly api_key: string | null;
  readonly secret_shown_before?: true;
}

for (const engine of ENGINES)
  describe(`changes that are sent again on ${engine.name}`, () => {
    const fixture = serviceFixture(engine, { IDEMPOTENCY_HOURS: "2" });

    const send = <Body = Created>(method: string, path: string, name: string, sent: Sent = {}) =>
      fixture.api<Body>(method, path, { ...sent, headers: { "idempotency-key": name, ...sent.headers } });
    const post = (path: string, name: string, body: unknown, sent: Sent = {}) =>
      send("POST", path, name, { ...sent, body });
    const keyOf = (caller: Caller) => fixture.records.keys[caller].api_key;
    const stockOf = (number: string) =>
      fixture.api<{ meta: { total: number } }>("GET", `/api/vehicles?stock_number=${number}`);
    const totalOf = async (number: string): Promise<number> => (await stockOf(number)).body.meta.total;
    const entriesOf = async (id: number): Promise<number> =>
      Number((await fixture.api("GET", `/api/audit?resource=vehicles&id=${id}`)).headers.get("x-total-count"));
    const isReplay = ({ headers }: Reply): boolean => headers.get("idempotency-replayed") === "true";
    const expectReplay = (again: Reply, first: Reply): void => {
      expect([again.status, again.text]).toEqual([first.status, first.text]);
      for (const name of ["etag", "location", "x-duplicate-of"])
        expect([name, again.headers.get(name)]).toEqual([name, first.headers.get(name)]);
      expect([isReplay(first), isReplay(again)]).toEqual([false, true]);
    };

    test("a creation, a change and a removal get the first answer, and are made once", async () => {
      const [name, stock_number] = [freshName(), freshName()];
      const body = vehicleBody(NORTH, { stock_number });
      const made = await post("/api/vehicles", name, body);
      expect([made.status, made.headers.get("location")]).toEqual([201, `/api/vehicles/${made.body.id}`]);
      expectReplay(await post("/api/vehicles", name, body), made);
      expect(await totalOf(stock_number)).toBe(1);
      const path = `/api/vehicles/${made.body.id}`;
      const ifMatch = { headers: { "if-match": made.headers.get("etag") ?? "" }, body: { price: 20_000 } };
      const changed = await send("PUT", path, name, ifMatch);
      expect(changed.status).toBe(200);
      expectReplay(await send("PUT", path, name, ifMatch), changed);
      const removed = await send("DELETE", path, name);
      expectReplay(await send("DELETE", path, name), removed);
      expectReply(await send("DELETE", path, freshName()), { status: 404, code: "not_found" });
    });

    test("100 equal requests at once make one vehicle and one audit entry", async () => {
      const [name, stock_number] = [freshName(), freshName()];
      const body = vehicleBody(NORTH, { stock_number });
      const replies = await Promise.all(Array.from({ length: 100 }, () => post("/api/vehicles", name, body)));
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
      expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
      expect(replies.filter((reply) => !isReplay(reply)).length).toBe(1);
      expect(await totalOf(stock_number)).toBe(1);
      expect(await entriesOf(replies[0]?.body.id ?? 0)).toBe(1);
    });

    test("a name of another body, query or content type is refused, and one of another method, path or key is another", async () => {
      const name = freshName();
      const body = vehicleBody(NORTH, { stock_number: freshName() });
      const first = await post("/api/vehicles", name, body);
      for (const again of [
        () => post("/api/vehicles", name, { ...body, price: 1 }),
        () => post("/api/vehicles?_=1", name, body),
        () => post("/api/vehicles", name, body, { headers: { "content-type": "application/json; charset=utf-8" } }),
      ])
        expectReply(await again(), { status: 422, code: "idempotency_key_reused" });
      expectReplay(await post("/api/vehicles", `"${name}"`, body), first);
      for (const other of [
        await post("/api/dealers", name, dealerBody()),
        await post("/api/vehicles", name, body, { key: keyOf("super-admin's user") }),
        await send("PUT", `/api/vehicles/${first.body.id}`, name, { body: { price: 2 } }),
      ])
        expect([isReplay(other), other.status < 300]).toEqual([false, true]);
    });

    test("a bad name is a 400 that names the header, together with other bad fields", async () => {
      for (const bad of ["", '""', "two words", "n".repeat(256), "\u00e4"]) {
        const reply = await fixture.api<{ details: { path: string }[] }>("DELETE", "/api/vehicles/0", {
          headers: { "idempotency-key": bad },
        });
        expectReply(reply as Reply, { status: 400, code: "invalid_input" });
        expect(reply.body.details.map(({ path }) => path)).toEqual(["id", "Idempotency-Key"]);
      }
      expect((await post("/api/dealers", "n".repeat(255), dealerBody())).status).toBe(201);
      expect((await fixture.api("GET", "/api/vehicles", { headers: { "idempotency-key": "two words" } })).status).toBe(
        200,
      );
    });

    const REFUSALS: Readonly<
      Record<string, { readonly status: number; readonly request: () => [string, string, Sent] }>
    > = {
      "a bad field": {
        status: 400,
        request: () => ["POST", "/api/vehicles", { body: vehicleBody(NORTH, { year: 1 }) }],
      },
      "no key": { status: 401, request: () => ["POST", "/api/dealers", { key: null, body: dealerBody() }] },
      "a missing permission": {
        status: 403,
        request: () => ["POST", "/api/dealers", { key: keyOf("powerless"), body: dealerBody() }],
      },
      "another dealer's vehicle": {
        status: 403,
        request: () => ["DELETE", "/api/vehicles/2", { key: keyOf("north") }],
      },
      "a missing record": { status: 404, request: () => ["DELETE", "/api/vehicles/999999", {}] },
      "a taken address": {
        status: 409,
        request: () => ["POST", "/api/users", { body: userBody({ email: "taken@example.com", dealer_id: NORTH }) }],
      },
      "an old version": {
        status: 412,
        request: () => [
          "PUT",
          "/api/vehicles/1",
          { body: { price: 5 }, headers: { "if-match": '"1-2020-01-01T00:00:00.000Z"' } },
        ],
      },
      "a long body": { status: 413, request: () => ["POST", "/api/dealers", { raw: " ".repeat(1_100_000) }] },
      "another media type": {
        status: 415,
        request: () => ["POST", "/api/dealers", { raw: "x", headers: { "content-type": "text/plain" } }],
      },
    };
    test("a refusal is not kept: the same name runs again, also with another body", async () => {
      await post("/api/users", freshName(), userBody({ email: "taken@example.com", dealer_id: NORTH }));
      for (const [why, { status, request }] of Object.entries(REFUSALS)) {
        const name = freshName();
        const [method, path, sent] = request();
        const replies = [await send(method, path, name, sent), await send(method, path, name, sent)];
        for (const reply of replies) expect([why, reply.status, isReplay(reply)]).toEqual([why, status, false]);
        if (method !== "POST") continue;
        const bodies: Readonly<Record<string, object>> = {
          "/api/vehicles": vehicleBody(NORTH),
          "/api/dealers": dealerBody(),
          "/api/users": userBody({ dealer_id: NORTH }),
        };
        expect([why, (await post(path, name, bodies[path])).status]).toEqual([why, 201]);
      }
    });

    test("a secret is shown once, also by rotations and of a feed", async () => {
      const name = freshName();
      const body = keyBody({ dealer_id: NORTH, permissions: pairs("vehicles:read") });
      const made = await post("/api/keys", name, body);
      const { api_key, ...record } = made.body as KeyAnswer;
      expect(api_key).toStartWith("vis_web_");
      const again = await post("/api/keys", name, body);
      expect(again.body as KeyAnswer).toEqual({ ...record, api_key: null, secret_shown_before: true });
      expect(again.headers.get("cache-control")).toBe("no-store");
      const rotate = () => send<KeyAnswer>("POST", `/api/keys/${made.body.id}/rotate`, name);
      expect((await rotate()).body.api_key).toStartWith("vis_web_");
      expect((await rotate()).body).toMatchObject({ api_key: null, secret_shown_before: true });
      const change = () =>
        send<KeyAnswer>("PUT", `/api/keys/${made.body.id}`, name, { body: { name: "B", rotate: true } });
      expect((await change()).body.api_key).toStartWith("vis_web_");
      expect((await change()).body).toMatchObject({ api_key: null, secret_shown_before: true });
      const plain = () => send<KeyAnswer>("PUT", `/api/keys/${made.body.id}`, `${name}-2`, { body: { name: "C" } });
      await plain();
      expect("secret_shown_before" in (await plain()).body).toBe(false);
      const feed = () => post("/api/feeds", name, feedBody(NORTH));
      expect((await feed()).text).toContain("/feeds/");
      expect((await feed()).body as object).toMatchObject({ url: null, secret_shown_before: true });
      const user = await create(fixture.api, "/api/users", userBody({ dealer_id: NORTH }));
      await create(fixture.api, "/api/keys", keyBody({ user_id: user.id }));
      const rotateAll = () =>
        send<{ keys: KeyAnswer[] }>("PUT", `/api/users/${user.id}`, name, { body: { rotate_keys: true } });
      expect((await rotateAll()).body.keys[0]?.api_key).toStartWith("vis_");
      expect((await rotateAll()).body.keys).toMatchObject([{ api_key: null, secret_shown_before: true }]);
    });

    test("a key that was rebound, or that lost its permission, gets no answer of before", async () => {
      const name = freshName();
      const key = await create<Created & { api_key: string }>(
        fixture.api,
        "/api/keys",
        keyBody({ dealer_id: NORTH, permissions: pairs("vehicles:write", "vehicles:delete") }),
      );
      const { dealer_id: _, ...body } = vehicleBody(null, { dealer_id: 0, stock_number: freshName() });
      const first = await post("/api/vehicles", name, body, { key: key.api_key });
      expectReplay(await post("/api/vehicles", name, body, { key: key.api_key }), first);
      const bulk = () => post("/api/vehicles/bulk", name, { ids: [first.body.id], remove: true }, { key: key.api_key });
      const removed = await bulk();
      expectReplay(await bulk(), removed);
      await fixture.api("DELETE", `/api/keys/${key.id}/permissions/vehicles/delete`);
      expectReply(await bulk(), { status: 403, code: "permission_missing" });
      await fixture.api("PUT", `/api/keys/${key.id}`, { body: { dealer_id: SOUTH } });
      const other = await post("/api/vehicles", name, body, { key: key.api_key });
      expect([other.status, isReplay(other), (other.body as { dealer_id?: number }).dealer_id]).toEqual([
        201,
        false,
        SOUTH,
      ]);
      await fixture.api("DELETE", `/api/keys/${key.id}/permissions/vehicles/write`);
      expectReply(await post("/api/vehicles", name, body, { key: key.api_key }), { status: 403 });
      await fixture.api("POST", `/api/keys/${key.id}/revoke`);
      expectReply(await post("/api/vehicles", name, body, { key: key.api_key }), { status: 401 });
    });

    test("a batch, a bulk change and an import are made once", async () => {
      const name = freshName();
      const items = Array.from({ length: 120 }, () => vehicleBody(NORTH, { model: name, stock_number: freshName() }));
      const countOf = async () =>
        (await fixture.api<{ meta: { total: number } }>("GET", `/api/vehicles?model=${name}`)).body.meta.total;
      const batch = await post("/api/vehicles/batch", name, { items });
      expect((batch.body as unknown as { counts: { created: number } }).counts.created).toBe(120);
      expectReplay(await post("/api/vehicles/batch", name, { items }), batch);
      expect(await countOf()).toBe(120);
      const ids = (batch.body as unknown as { results: { vehicle_id: number }[] }).results.map((one) => one.vehicle_id);
      const change = { ids, changes: { price: { percent: -10 } } };
      const bulk = await post("/api/vehicles/bulk", name, change);
      expectReplay(await post("/api/vehicles/bulk", name, change), bulk);
      const vehicle = await fixture.api<{ price: number }>("GET", `/api/vehicles/${ids[119]}`);
      expect(vehicle.body.price).toBe(23_399.99);
      const upload = async (content: string) => {
        const form = new FormData();
        form.set("file", new Blob([content], { type: "text/csv" }), "stock.csv");
        const sent = new Response(form);
        const headers = { "content-type": sent.headers.get("content-type") ?? "", "idempotency-key": name };
        const raw = new Uint8Array(await sent.arrayBuffer());
        return fixture.api<Created>("POST", `/api/imports?dealer_id=${NORTH}`, { raw, headers });
      };
      const csv = "stock_number,make,model,year,price\nA1,Honda,Civic,2020,9000\n";
      const imported = await upload(csv);
      expect(imported.status).toBe(202);
      // Its boundary is another one each time.
      expectReplay(await upload(csv), imported);
      expectReply(await upload(`${csv}A2,Honda,Civic,2020,9000\n`), { status: 422, code: "idempotency_key_reused" });
      const imports = await fixture.api<{ meta: { total: number } }>("GET", "/api/imports");
      expect(imports.body.meta.total).toBe(1);
    });

    test("of a longer answer the status and the ETag are kept, and the record is read anew", async () => {
      const name = freshName();
      const body = vehicleBody(NORTH, { description: "\u{1F697}".repeat(20_000) });
      const made = await post("/api/vehicles", name, body);
      const changed = await fixture.api("PUT", `/api/vehicles/${made.body.id}`, { body: { price: 7 } });
      const again = await post("/api/vehicles", name, body);
      expect([again.status, again.headers.get("etag"), isReplay(again)]).toEqual([201, made.headers.get("etag"), true]);
      expect(again.text).toBe(changed.text);
    });

    test("a change that changed nothing is answered again as it was", async () => {
      const key = await create(fixture.api, "/api/keys", keyBody());
      const name = freshName();
      const revoke = () => send("POST", `/api/keys/${key.id}/revoke`, name);
      await send("POST", `/api/keys/${key.id}/revoke`, freshName());
      const first = await revoke();
      expectReplay(await revoke(), first);
    });

    test("a repeated request counts for the limit", async () => {
      const key = await create<Created & { api_key: string }>(
        fixture.api,
        "/api/keys",
        keyBody({ rate_limit: 2, permissions: pairs("dealers:write") }),
      );
      const name = freshName();
      const sent = () => post("/api/dealers", name, { ...dealerBody(), name }, { key: key.api_key });
      expect([(await sent()).status, (await sent()).status, (await sent()).status]).toEqual([201, 201, 429]);
    });

    testMovingClock("an answer is kept for as many hours as configured, and then removed", async () => {
      const [name, body] = [freshName(), dealerBody({ name: freshName() })];
      const first = await post("/api/dealers", name, body);
      await fixture.service.pass(2 * HOUR - 1);
      expectReplay(await post("/api/dealers", name, body), first);
      await fixture.service.pass(1);
      const anew = await post("/api/dealers", name, body);
      expect([anew.status, isReplay(anew)]).toEqual([201, false]);
      expectReplay(await post("/api/dealers", name, body), anew);
    });
  });
