import { describe, expect, test } from "bun:test";
import type { Source } from "../../../core/sources/source.ts";
import { expectReply } from "../../support/cases.ts";
import { ENGINES } from "../../support/engines.ts";
import { type CreatedKey, create, keyBody, NORTH, SOUTH } from "../../support/sample-records.ts";
import { pairs } from "../../support/service.ts";
import { fileOf, sourcesOn } from "./sources.ts";

for (const engine of ENGINES)
  describe(`import sources on ${engine.name}`, () => {
    const { fixture, siteOf, taggedSite, newDealer, bodyOf, made, read, ran, importOf } = sourcesOn(engine);

    test("need their creator's permission at each run, and whoever changes one becomes responsible for it", async () => {
      const { url, requests } = await siteOf((_, response) => response.end(fileOf("G1")));
      const dealer = await newDealer();
      const fields = { dealer_id: dealer, permissions: pairs("vehicles:read", "vehicles:write", "vehicles:delete") };
      const key = await create<CreatedKey>(fixture.api, "/api/keys", keyBody(fields));
      const reply = await fixture.api<Source>("POST", "/api/import-sources", {
        key: key.api_key,
        body: bodyOf(SOUTH, url),
      });
      expectReply(reply, { status: 201, has: { dealer_id: dealer } });
      const { id } = reply.body;
      const good = await importOf(await ran(id));
      expect(good).toMatchObject({ state: "completed", by: { type: "key", id: key.id } });
      // Of another dealer, or without the permission.
      for (const body of [
        { dealer_id: await newDealer() },
        { dealer_id: dealer, permissions: pairs("vehicles:read") },
      ]) {
        expectReply(await fixture.api("PUT", `/api/keys/${key.id}`, { body }), { status: 200 });
        expect(await ran(id)).toMatchObject({
          import_id: null,
          status: null,
          problem: expect.stringContaining("may not"),
        });
      }
      await fixture.api("DELETE", `/api/keys/${key.id}`);
      expect(await ran(id)).toMatchObject({ import_id: null, problem: expect.stringContaining("may not") });
      expect(requests).toHaveLength(1);
      await fixture.api("PUT", `/api/import-sources/${id}`, { body: { name: "Taken over" } });
      expect(await importOf(await ran(id))).toMatchObject({ state: "completed" });
    });

    test("remove missing vehicles only for callers who may delete vehicles", async () => {
      const dealer = await newDealer();
      const fields = { dealer_id: dealer, permissions: pairs("vehicles:write") };
      const { api_key: key } = await create<CreatedKey>(fixture.api, "/api/keys", keyBody(fields));
      const options = { mode: "snapshot", missing: "remove" };
      const url = "https://files.example.com/lot.csv";
      const refused = { status: 403, code: "permission_missing" } as const;
      const send = (method: string, path: string, body?: object) =>
        fixture.api<Source>(method, `/api/import-sources${path}`, { key, ...(body && { body }) });
      expectReply(await send("POST", "", bodyOf(dealer, url, { options })), refused);
      const { id } = await made(dealer, url, { options });
      expectReply(await send("PUT", `/${id}`, { name: "Mine" }), refused);
      expectReply(await send("POST", `/${id}/run`), refused);
      expect((await read(id)).runs).toEqual([]);
    });

    test("do not send credentials to another host after a change of the address", async () => {
      const auth = { type: "header", name: "X-Feed-Key", value: "quite secret" };
      const { id } = await made(await newDealer(), "https://files.example.com/lot.csv", { auth });
      const put = (body: object) => fixture.api<Source>("PUT", `/api/import-sources/${id}`, { body });
      for (const url of ["https://evil.example.com/", "http://files.example.com/", "https://files.example.com:444/"]) {
        const reply = await put({ url });
        expectReply(reply, { status: 400, code: "invalid_input" });
        expect(reply.text).toContain('"auth"');
      }
      const other = "https://files.example.com/other.csv";
      expectReply(await put({ url: other }), { status: 200, has: { url: other, auth: { name: "X-Feed-Key" } } });
      expectReply(await put({ url: "https://evil.example.com/", auth: null }), { status: 200, has: { auth: null } });
    });

    test("keep their credentials and the state of the file when an answer is sent back", async () => {
      const { url, requests } = await taggedSite(() => ({ text: fileOf("A1"), tag: '"one"' }));
      const auth = { type: "basic", user: "harbor", password: "quite secret" };
      const { id } = await made(await newDealer(), url, { auth, options: { mode: "snapshot" } });
      await importOf(await ran(id));
      const put = (body: object) => fixture.api<Source>("PUT", `/api/import-sources/${id}`, { body });
      const shown = { type: "basic", user: "harbor" };
      expectReply(await put(await read(id)), { status: 200, has: { auth: shown } });
      expect(await ran(id)).toMatchObject({ status: 304, problem: null });
      expect(requests.at(-1)?.headers.authorization).toBe(`Basic ${btoa("harbor:quite secret")}`);
      const answered = await read(id);
      for (const changes of [
        { auth: { type: "basic", user: "other" } },
        { auth: { type: "header", name: "harbor" } },
        { url: "https://evil.example.com/" },
      ]) {
        const reply = await put({ ...answered, ...changes });
        expectReply(reply, { status: 400, code: "invalid_input" });
        expect(reply.text).toContain('"auth"');
      }
      const { auth: _, ...without } = answered;
      expectReply(await put({ ...without, auth: null }), { status: 200, has: { auth: null } });
      expectReply(await put({ auth: shown }), { status: 400, code: "invalid_input" });
    });

    test("send and show the query of an address, but keep it out of the audit log and the log", async () => {
      const { url, requests } = await siteOf((_, response) => response.end(fileOf("T1")));
      const { id } = await made(await newDealer(), `${url}?token=first%20secret`);
      const changed = { name: "Other", url: `${url}?token=second%20secret#third%20secret` };
      const reply = await fixture.api("PUT", `/api/import-sources/${id}`, { body: changed });
      expectReply(reply, { status: 200, has: changed });
      await importOf(await ran(id));
      expect(requests.map((request) => request.url)).toEqual(["/lot.csv?token=second%20secret"]);
      await fixture.api("PUT", `/api/import-sources/${id}`, {
        body: { url: "https://files.example.com/#third%20secret" },
      });
      await fixture.api("DELETE", `/api/import-sources/${id}`);
      const audit = await fixture.api<{ resource_id: number; after: object | null }[]>(
        "GET",
        "/api/audit?resource=sources&limit=1000",
      );
      const created = audit.body.filter(({ resource_id }) => resource_id === id).at(-1);
      expect(created?.after).toMatchObject({ url: `${url}?…` });
      const secret = /(first|second|third)( |%20)secret/;
      for (const text of [audit.text, fixture.service.log()]) expect(text).not.toMatch(secret);
    });

    test("of another dealer do not exist, and the list has only the caller's own", async () => {
      const { id } = await made(SOUTH, "https://files.example.com/south.csv");
      const own = await made(NORTH, "https://files.example.com/north.csv");
      const key = fixture.records.keys.north.api_key;
      for (const [method, path] of [
        ["GET", ""],
        ["PUT", ""],
        ["POST", "/run"],
        ["DELETE", ""],
      ] as const) {
        const body = method === "PUT" ? { body: { name: "Mine" } } : {};
        const reply = await fixture.api(method, `/api/import-sources/${id}${path}`, { key, ...body });
        expectReply(reply, { status: 404, code: "not_found" });
      }
      const { body } = await fixture.api<{ data: Source[] }>("GET", `/api/import-sources?dealer_id=${SOUTH}`, { key });
      expect(body.data.map(({ dealer_id }) => dealer_id)).not.toContain(SOUTH);
      expect(body.data.map((source) => source.id)).toContain(own.id);
      expect(await read(id)).toMatchObject({ name: "Nightly file", runs: [] });
    });

    test("are limited to 50 for a dealer", async () => {
      const dealer = await newDealer();
      for (let n = 0; n < 50; n++) await made(dealer, "https://files.example.com/lot.csv", { active: false });
      const reply = await fixture.api("POST", "/api/import-sources", { body: bodyOf(dealer, "https://example.com/") });
      expectReply(reply, { status: 400, code: "invalid_input" });
      expect(reply.text).toContain("has 50 sources already");
    });

    test("are listed page by page, newest first", async () => {
      const dealer = await newDealer();
      const ids: number[] = [];
      for (let n = 0; n < 3; n++) ids.unshift((await made(dealer, "https://files.example.com/lot.csv")).id);
      type PageOf = { readonly data: Source[]; readonly meta: { readonly next_cursor: string | null; total: number } };
      const path = `/api/import-sources?dealer_id=${dealer}&limit=2`;
      const { body: first } = await fixture.api<PageOf>("GET", path);
      const { body: second } = await fixture.api<PageOf>("GET", `${path}&cursor=${first.meta.next_cursor}`);
      expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids);
      expect([first.meta.total, second.meta.next_cursor]).toEqual([3, null]);
    });

    // [fields, the path of the issue].
    const WRONG: readonly (readonly [fields: object, path: string])[] = [
      [{ name: "" }, "name"],
      [{ url: "files.example.com/lot.csv" }, "url"],
      [{ url: "https://user:word@files.example.com/lot.csv" }, "url"],
      [{ schedule: "* * * * *" }, "schedule"],
      [{ schedule: "0 0 30 2 *" }, "schedule"],
      [{ timezone: "Mars/Olympus" }, "timezone"],
      [{ auth: { type: "basic", user: "a:b", password: "c" } }, "auth.user"],
      [{ auth: { type: "header", name: "Host", value: "inside" } }, "auth.name"],
      [{ auth: { type: "header", name: "X-Key", value: "a\r\nHost: inside" } }, "auth.value"],
      [{ auth: { type: "bearer" } }, "auth"],
      [{ options: { mode: "mirror" } }, "options.mode"],
      [{ options: { modes: "snapshot" } }, "options.modes"],
      [{ options: { columns: { Price: "prize" } } }, "options.columns"],
      [{ options: [] }, "options"],
      [{ dealer_id: 9_000_000_000 }, "dealer_id"],
      [{ secret: 1 }, "secret"],
    ];
    for (const [fields, path] of WRONG)
      test(`with ${JSON.stringify(fields)} are refused at ${path}`, async () => {
        const body = { ...bodyOf(NORTH, "https://files.example.com/lot.csv"), ...fields };
        const reply = await fixture.api<{ details: { path: string }[] }>("POST", "/api/import-sources", { body });
        expectReply(reply, { status: 400, code: "invalid_input" });
        expect(reply.text).toContain(path.split(".")[0] as string);
      });

    test("whose address is refused without looking up its name are refused, and say why, beside other faults too", async () => {
      const dealer = await newDealer();
      const source = await made(dealer, "https://files.example.com/lot.csv");
      const send = async (method: string, path: string, body: object) =>
        fixture.api<{ details: { path: string; message: string }[] }>(method, `/api/import-sources${path}`, { body });
      for (const url of [
        "https://10.0.0.1/lot.csv",
        "https://[::1]/lot.csv",
        "http://192.0.2.1/lot.csv",
        "ftp://files.example.com/lot.csv",
        "file:///etc/passwd",
      ]) {
        for (const reply of [await send("POST", "", bodyOf(dealer, url)), await send("PUT", `/${source.id}`, { url })])
          expectReply(reply, { status: 400, code: "target_refused", faults: ["url"] });
        const faulty = await send("POST", "", bodyOf(dealer, url, { schedule: "never", options: { mode: "mirror" } }));
        expectReply(faulty, { status: 400, code: "invalid_input", faults: ["options.mode", "schedule", "url"] });
        const { dealer_id: _, ...without } = bodyOf(dealer, url, { schedule: "never" });
        expectReply(await send("POST", "", without), { status: 400, faults: ["dealer_id", "schedule", "url"] });
        expect(faulty.body.details[0]?.message).toMatch(/^must (not lead to|be an https address)/);
      }
      expect(await read(source.id)).toEqual(source);
      expectReply(await send("PUT", `/${source.id}`, { ...source }), { status: 200 });
      expectReply(await send("PUT", `/${source.id}`, { url: "https://elsewhere.example.com/lot.csv" }), {
        status: 200,
      });
    });

    test("that are deleted are gone, and their imports stay", async () => {
      const { url } = await siteOf((_, response) => response.end(fileOf("H1")));
      const { id } = await made(await newDealer(), url);
      const run = await ran(id);
      await importOf(run);
      expectReply(await fixture.api("DELETE", `/api/import-sources/${id}`), { status: 200 });
      expectReply(await fixture.api("GET", `/api/import-sources/${id}`), { status: 404, code: "not_found" });
      expectReply(await fixture.api("GET", `/api/imports/${run.import_id}`), { status: 200 });
    });
  });
