import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "bun";
import type { Import } from "../../core/imports/import.ts";
import type { Source, SourceRun } from "../../core/sources/source.ts";
import type { Vehicle } from "../../core/vehicles/vehicle.ts";
import { expectReply } from "../support/cases.ts";
import { ENGINES } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { sceneOn } from "../support/scene.ts";
import { pairs, TIME_CAN_PASS } from "../support/service.ts";
import { type CreatedKey, create, dealerBody, keyBody, NORTH, SOUTH, vehicleBody } from "../support/world.ts";

setDefaultTimeout(300_000);

const PATIENCE_MS = 60_000;
const HEAD = "VIN,Year,Make,Model,Price";
const DAY_SECONDS = 24 * 60 * 60;
const fileOf = (...vins: readonly string[]): string =>
  `${HEAD}\n${vins.map((vin) => `${vin},2020,Kia,Rio,9000\n`).join("")}`;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

interface Heard {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** A site that has files, and keeps what it was asked. */
const siteOf = async (answer: RequestListener) => {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    heard.push({ url: request.url ?? "", headers: request.headers });
    answer(request, response);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  closing.push(() => void server.close());
  return { heard, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/lot.csv` };
};

/** A file with a tag, which is a 304 for whoever has it. */
const taggedSite = (file: () => { readonly text: string; readonly tag: string }) =>
  siteOf((request, response) => {
    const { text, tag } = file();
    const isKnown = request.headers["if-none-match"] === tag;
    response.writeHead(isKnown ? 304 : 200, { etag: tag, "content-type": "text/csv" }).end(isKnown ? "" : text);
  });

for (const engine of ENGINES)
  describe(`import sources on ${engine.name}`, () => {
    const scene = sceneOn(engine, { EGRESS_ALLOW: "127.0.0.0/8" });

    const newDealer = async (): Promise<number> => (await create(scene.api, "/api/dealers", dealerBody())).id;

    const bodyOf = (dealer_id: number, url: string, fields: object = {}) => ({
      name: "Nightly file",
      dealer_id,
      url,
      schedule: "30 2 * * *",
      ...fields,
    });

    const made = async (dealer: number, url: string, fields: object = {}): Promise<Source> => {
      const reply = await scene.api<Source>("POST", "/api/import-sources", { body: bodyOf(dealer, url, fields) });
      expectReply(reply, { status: 201 });
      expect(reply.headers.get("location")).toBe(`/api/import-sources/${reply.body.id}`);
      return reply.body;
    };

    const read = async (id: number): Promise<Source> =>
      (await scene.api<Source>("GET", `/api/import-sources/${id}`)).body;

    /** What comes of one more run. */
    const nextRun = async (id: number, start: () => Promise<unknown>): Promise<SourceRun> => {
      const { runs: before } = await read(id);
      await start();
      const { runs } = await eventually(
        () => read(id),
        (source) => source.runs[0] !== undefined && source.runs[0].at !== before[0]?.at,
        PATIENCE_MS,
      );
      return runs[0] as SourceRun;
    };
    const ran = (id: number): Promise<SourceRun> =>
      nextRun(id, async () => expectReply(await scene.api("POST", `/api/import-sources/${id}/run`), { status: 202 }));

    const importOf = async ({ import_id }: SourceRun): Promise<Import> =>
      (
        await eventually(
          () => scene.api<Import>("GET", `/api/imports/${import_id}`),
          ({ body }) => body.state !== "queued" && body.state !== "running",
          PATIENCE_MS,
        )
      ).body;

    const statusesOf = async (dealer: number): Promise<Readonly<Record<string, string>>> => {
      const path = `/api/vehicles?dealer_id=${dealer}&status=available&status=sold&status=pending&limit=100`;
      const { body } = await scene.api<{ vehicles: Vehicle[] }>("GET", path);
      return Object.fromEntries(body.vehicles.map(({ vin, status }) => [vin ?? "", status]).sort());
    };

    const actionsOf = async (id: number): Promise<readonly string[]> => {
      const path = "/api/audit?resource=sources&limit=1000";
      const { body } = await scene.api<{ action: string; resource_id: number }[]>("GET", path);
      return body.filter(({ resource_id }) => resource_id === id).map(({ action }) => action);
    };

    test("a file is fetched with its credentials, imported, and not again while it stays the same", async () => {
      const { heard, url } = await taggedSite(() => ({ text: fileOf("A1", "A2"), tag: '"one"' }));
      const dealer = await newDealer();
      const auth = { type: "basic", user: "lot", password: "quite secret" };
      const source = await made(dealer, url, { auth, options: { columns: { Price: "price" } } });
      expect(source).toMatchObject({
        dealer_id: dealer,
        auth: { type: "basic", user: "lot" },
        active: true,
        timezone: "UTC",
        options: { mode: "upsert", missing: "sold", columns: { Price: "price" } },
        runs: [],
      });
      expect(source.next_run_at).toEndWith("T02:30:00.000Z");

      const first = await ran(source.id);
      expect(first).toMatchObject({ status: 200, bytes: fileOf("A1", "A2").length, problem: null });
      expect(await importOf(first)).toMatchObject({
        state: "completed",
        dealer_id: dealer,
        file: { name: "lot.csv" },
        counts: { created: 2 },
      });
      const second = await ran(source.id);
      expect(second).toMatchObject({ status: 304, import_id: null, bytes: 0, problem: null });
      const sent = `Basic ${Buffer.from("lot:quite secret").toString("base64")}`;
      expect(heard.map(({ headers }) => [headers.authorization, headers["if-none-match"]])).toEqual([
        [sent, undefined],
        [sent, '"one"'],
      ]);
      expect((await read(source.id)).runs).toEqual([second, first]);
      expect(await actionsOf(source.id)).toEqual(["source.imported", "source.created"]);
      for (const path of [`/api/import-sources/${source.id}`, "/api/import-sources", "/api/audit?limit=100"])
        expect((await scene.api("GET", path)).text).not.toContain("quite secret");
      expect(scene.service.log()).not.toContain("quite secret");
    });

    test("other options, or another address, have the same file read anew", async () => {
      const { heard, url } = await taggedSite(() => ({ text: fileOf("B1"), tag: '"same"' }));
      const { id } = await made(await newDealer(), url);
      await importOf(await ran(id));
      await scene.api("PUT", `/api/import-sources/${id}`, { body: { name: "Renamed" } });
      expect(await ran(id)).toMatchObject({ status: 304 });
      await scene.api("PUT", `/api/import-sources/${id}`, { body: { options: { decimal: "comma" } } });
      expect(await ran(id)).toMatchObject({ status: 200, problem: null });
      expect(heard.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, '"same"', undefined]);
    });

    test("vehicles of a snapshot are missing after two files in a row without them, also where the second is the same", async () => {
      let file = { text: fileOf("C1", "C2", "C3"), tag: '"1"' };
      const { url } = await taggedSite(() => file);
      const dealer = await newDealer();
      const { id } = await made(dealer, url, { options: { mode: "snapshot" } });
      const files = [
        ["C1", "C2", "C3"],
        ["C1", "C3"],
        ["C1", "C2"],
        ["C1", "C2"],
      ];
      const seen: unknown[] = [];
      for (const [place, vins] of files.entries()) {
        file = { text: fileOf(...vins), tag: `"${place + 1}"` };
        const { counts } = await importOf(await ran(id));
        seen.push([counts.missing, await statusesOf(dealer)]);
      }
      const [all, here] = [{ C1: "available", C2: "available", C3: "available" }, "available"];
      expect(seen).toEqual([
        [0, all],
        [0, all],
        [0, all],
        [1, { C1: here, C2: here, C3: "sold" }],
      ]);

      // C2 is left out, and the very same file is asked for once more.
      file = { text: fileOf("C1"), tag: '"5"' };
      expect(await importOf(await ran(id))).toMatchObject({ counts: { missing: 0 } });
      expect(await importOf(await ran(id))).toMatchObject({ counts: { missing: 1 } });
      expect(await statusesOf(dealer)).toEqual({ C1: here, C2: "sold", C3: "sold" });
    });

    test("many missing vehicles of a snapshot wait for a confirmation, which counts them in the same way", async () => {
      const vins = Array.from({ length: 8 }, (_, n) => `D${n}`);
      let text = fileOf(...vins);
      const { url } = await siteOf((_, response) => response.end(text));
      const dealer = await newDealer();
      const { id } = await made(dealer, url, { options: { mode: "snapshot" } });
      await importOf(await ran(id));
      text = fileOf("D0", "D1", "D2");
      expect(await importOf(await ran(id))).toMatchObject({ state: "completed", counts: { missing: 0 } });
      text = fileOf("D0", "D1");
      const waiting = await importOf(await ran(id));
      expect(waiting).toMatchObject({ state: "needs_confirmation", counts: { missing: 5 } });
      const body = { missing: 5 };
      expectReply(await scene.api("POST", `/api/imports/${waiting.id}/confirm`, { body }), { status: 202 });
      const confirmed = await importOf({ ...((await read(id)).runs[0] as SourceRun), import_id: waiting.id });
      expect(confirmed).toMatchObject({ state: "completed", counts: { missing: 5 } });
      expect(Object.values(await statusesOf(dealer)).filter((status) => status === "sold")).toHaveLength(5);
      expect((await statusesOf(dealer)).D2).toBe("available");
    });

    // [what, answer, its status, what the problem says].
    const FAILURES: readonly (readonly [what: string, answer: RequestListener, status: number, problem: RegExp])[] = [
      ["an error", (_, response) => response.writeHead(503).end("busy"), 503, /^The answer was 503/],
      ["a 304 that nobody asked for", (_, response) => response.writeHead(304).end(), 304, /^The answer was 304/],
      ["no file of vehicles", (_, response) => response.end("<html>"), 200, /heading|row|column/i],
      [
        "a spreadsheet",
        (_, response) => response.writeHead(200, { "content-encoding": "br" }).end("x"),
        200,
        /Content-Encoding/,
      ],
      [
        "broken gzip",
        (_, response) => response.end(Buffer.from(gzipSync(Buffer.from(fileOf("E1")))).subarray(0, 40)),
        200,
        /unpacked/,
      ],
      [
        "a gzip bomb",
        (_, response) => response.end(gzipSync(Buffer.from(`${HEAD}\n${"x".repeat(300_000)}\n`))),
        200,
        /256 KiB|row/,
      ],
      [
        "half a file",
        (_, response) => {
          response.writeHead(200, { "content-length": "1000" });
          response.write(fileOf("E1"));
          setTimeout(() => response.destroy(), 20);
        },
        200,
        /broke off/,
      ],
      [
        "a redirect to a cloud's metadata",
        (_, response) => response.writeHead(302, { location: "http://169.254.169.254/" }).end(),
        0,
        /may not be fetched/,
      ],
    ];
    for (const [what, answer, status, problem] of FAILURES)
      test(`${what} is a failure of the run, and no import`, async () => {
        const { url } = await siteOf(answer);
        const dealer = await newDealer();
        const { id } = await made(dealer, url);
        const run = await ran(id);
        expect(run).toMatchObject({ import_id: null, status: status || null, bytes: null });
        expect(run.problem).toMatch(problem);
        expect((await scene.api<{ data: [] }>("GET", `/api/imports?dealer_id=${dealer}`)).body.data).toEqual([]);
      });

    test("three failures in a row are told once; what goes well begins anew", async () => {
      let isDown = true;
      const { url } = await siteOf((_, response) =>
        isDown ? response.writeHead(500).end() : response.end(fileOf("F1")),
      );
      const { id } = await made(await newDealer(), url);
      for (let time = 0; time < 4; time++) await ran(id);
      expect(await actionsOf(id)).toEqual(["source.failing", "source.created"]);
      expect(scene.service.log()).toContain("an import source keeps failing");
      expect((await read(id)).failing_since).not.toBeNull();
      isDown = false;
      await importOf(await ran(id));
      expect((await read(id)).failing_since).toBeNull();
    });

    test("an import that fails is a failure of its source, and the same file is fetched again", async () => {
      let file = { text: `${fileOf("L1")}L2,20x0,Kia,Rio,9000\n`, tag: '"bad"' };
      const { url, heard } = await taggedSite(() => file);
      const { id } = await made(await newDealer(), url, { options: { on_error: "reject" } });
      for (let time = 1; time <= 3; time++) {
        expect(await importOf(await ran(id))).toMatchObject({ state: "failed" });
        const { runs, failing_since } = await read(id);
        expect(runs[0]).toMatchObject({ status: 200, problem: expect.stringContaining("nothing is written") });
        expect(failing_since).not.toBeNull();
      }
      expect(heard.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, undefined, undefined]);
      expect((await actionsOf(id)).filter((action) => action === "source.failing")).toHaveLength(1);
      file = { text: fileOf("L1"), tag: '"good"' };
      expect(await importOf(await ran(id))).toMatchObject({ state: "completed" });
      const { runs, failing_since } = await read(id);
      expect([runs[0]?.problem, failing_since]).toEqual([null, null]);
      expect(runs.map(({ problem }) => problem !== null)).toEqual([false, true, true, true]);
      expect(await ran(id)).toMatchObject({ status: 304 });
    });

    test("a mapping of the dealer says what columns are; one that is gone, or another dealer's, is a failure", async () => {
      const { url } = await siteOf((_, response) =>
        response.end("Chassis,Jahr,Make,Model,Price\nM1,2020,Kia,Rio,9000\n"),
      );
      const [dealer, other] = [await newDealer(), await newDealer()];
      const mappingOf = async (dealer_id: number): Promise<number> => {
        const columns = { Chassis: "vin", Jahr: "year" };
        return (await create(scene.api, "/api/import-mappings", { name: "Theirs", dealer_id, columns })).id;
      };
      const mapping = await mappingOf(dealer);
      const source = await made(dealer, url, { options: { mapping } });
      expect(source.options).toMatchObject({ mapping });
      const good = await importOf(await ran(source.id));
      expect(good).toMatchObject({ state: "completed", counts: { created: 1 } });
      expect(good.columns.slice(0, 2)).toEqual([
        { heading: "Chassis", field: "vin" },
        { heading: "Jahr", field: "year" },
      ]);
      expect(await statusesOf(dealer)).toEqual({ M1: "available" });
      const isMissing = { import_id: null, problem: expect.stringMatching(/^mapping \d+ does not exist$/) };
      const foreign = await made(dealer, url, { options: { mapping: await mappingOf(other) } });
      expect(await ran(foreign.id)).toMatchObject(isMissing);
      expectReply(await scene.api("DELETE", `/api/import-mappings/${mapping}`), { status: 200 });
      expect(await ran(source.id)).toMatchObject(isMissing);
    });

    test("what its maker may do is asked at each run, and whoever changes it takes it over", async () => {
      const { url, heard } = await siteOf((_, response) => response.end(fileOf("G1")));
      const dealer = await newDealer();
      const fields = { dealer_id: dealer, permissions: pairs("vehicles:read", "vehicles:write", "vehicles:delete") };
      const key = await create<CreatedKey>(scene.api, "/api/keys", keyBody(fields));
      const reply = await scene.api<Source>("POST", "/api/import-sources", {
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
        expectReply(await scene.api("PUT", `/api/keys/${key.id}`, { body }), { status: 200 });
        expect(await ran(id)).toMatchObject({
          import_id: null,
          status: null,
          problem: expect.stringContaining("may not"),
        });
      }
      await scene.api("DELETE", `/api/keys/${key.id}`);
      expect(await ran(id)).toMatchObject({ import_id: null, problem: expect.stringContaining("may not") });
      expect(heard).toHaveLength(1);
      await scene.api("PUT", `/api/import-sources/${id}`, { body: { name: "Taken over" } });
      expect(await importOf(await ran(id))).toMatchObject({ state: "completed" });
    });

    test("missing vehicles are removed only for those who may delete vehicles", async () => {
      const dealer = await newDealer();
      const fields = { dealer_id: dealer, permissions: pairs("vehicles:write") };
      const { api_key: key } = await create<CreatedKey>(scene.api, "/api/keys", keyBody(fields));
      const options = { mode: "snapshot", missing: "remove" };
      const url = "https://files.example.com/lot.csv";
      const refused = { status: 403, code: "permission_missing" } as const;
      const send = (method: string, path: string, body?: object) =>
        scene.api<Source>(method, `/api/import-sources${path}`, { key, ...(body && { body }) });
      expectReply(await send("POST", "", bodyOf(dealer, url, { options })), refused);
      const { id } = await made(dealer, url, { options });
      expectReply(await send("PUT", `/${id}`, { name: "Mine" }), refused);
      expectReply(await send("POST", `/${id}/run`), refused);
      expect((await read(id)).runs).toEqual([]);
    });

    test("credentials do not go to another host that somebody names", async () => {
      const auth = { type: "header", name: "X-Feed-Key", value: "quite secret" };
      const { id } = await made(await newDealer(), "https://files.example.com/lot.csv", { auth });
      const put = (body: object) => scene.api<Source>("PUT", `/api/import-sources/${id}`, { body });
      for (const url of ["https://evil.example.com/", "http://files.example.com/", "https://files.example.com:444/"]) {
        const reply = await put({ url });
        expectReply(reply, { status: 400, code: "invalid_input" });
        expect(reply.text).toContain('"auth"');
      }
      const other = "https://files.example.com/other.csv";
      expectReply(await put({ url: other }), { status: 200, has: { url: other, auth: { name: "X-Feed-Key" } } });
      expectReply(await put({ url: "https://evil.example.com/", auth: null }), { status: 200, has: { auth: null } });
    });

    test("another dealer's do not exist, and a list has the own ones only", async () => {
      const { id } = await made(SOUTH, "https://files.example.com/south.csv");
      const own = await made(NORTH, "https://files.example.com/north.csv");
      const key = scene.world.keys.north.api_key;
      for (const [method, path] of [
        ["GET", ""],
        ["PUT", ""],
        ["POST", "/run"],
        ["DELETE", ""],
      ] as const) {
        const body = method === "PUT" ? { body: { name: "Mine" } } : {};
        const reply = await scene.api(method, `/api/import-sources/${id}${path}`, { key, ...body });
        expectReply(reply, { status: 404, code: "not_found" });
      }
      const { body } = await scene.api<{ data: Source[] }>("GET", `/api/import-sources?dealer_id=${SOUTH}`, { key });
      expect(body.data.map(({ dealer_id }) => dealer_id)).not.toContain(SOUTH);
      expect(body.data.map((source) => source.id)).toContain(own.id);
      expect(await read(id)).toMatchObject({ name: "Nightly file", runs: [] });
    });

    test("a dealer has 50 at most", async () => {
      const dealer = await newDealer();
      for (let n = 0; n < 50; n++) await made(dealer, "https://files.example.com/lot.csv", { active: false });
      const reply = await scene.api("POST", "/api/import-sources", { body: bodyOf(dealer, "https://example.com/") });
      expectReply(reply, { status: 400, code: "invalid_input" });
      expect(reply.text).toContain("has 50 sources already");
    });

    test("a list is read page by page, newest first", async () => {
      const dealer = await newDealer();
      const ids: number[] = [];
      for (let n = 0; n < 3; n++) ids.unshift((await made(dealer, "https://files.example.com/lot.csv")).id);
      type PageOf = { readonly data: Source[]; readonly meta: { readonly next_cursor: string | null; total: number } };
      const path = `/api/import-sources?dealer_id=${dealer}&limit=2`;
      const { body: first } = await scene.api<PageOf>("GET", path);
      const { body: second } = await scene.api<PageOf>("GET", `${path}&cursor=${first.meta.next_cursor}`);
      expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids);
      expect([first.meta.total, second.meta.next_cursor]).toEqual([3, null]);
    });

    // [fields, the path of the issue].
    const WRONG: readonly (readonly [fields: object, path: string])[] = [
      [{ name: "" }, "name"],
      [{ url: "ftp://files.example.com/lot.csv" }, "url"],
      [{ url: "file:///etc/passwd" }, "url"],
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
      test(`${JSON.stringify(fields)} is refused at ${path}`, async () => {
        const body = { ...bodyOf(NORTH, "https://files.example.com/lot.csv"), ...fields };
        const reply = await scene.api<{ details: { path: string }[] }>("POST", "/api/import-sources", { body });
        expectReply(reply, { status: 400, code: "invalid_input" });
        expect(reply.text).toContain(path.split(".")[0] as string);
      });

    test("one that is taken away is gone, and its imports stay", async () => {
      const { url } = await siteOf((_, response) => response.end(fileOf("H1")));
      const { id } = await made(await newDealer(), url);
      const run = await ran(id);
      await importOf(run);
      expectReply(await scene.api("DELETE", `/api/import-sources/${id}`), { status: 200 });
      expectReply(await scene.api("GET", `/api/import-sources/${id}`), { status: 404, code: "not_found" });
      expectReply(await scene.api("GET", `/api/imports/${run.import_id}`), { status: 200 });
    });

    test.if(TIME_CAN_PASS)("the clock has it fetched, and one that failed for 7 days is switched off", async () => {
      const { url, heard } = await siteOf((_, response) => response.writeHead(404).end());
      const { id, next_run_at: next } = await made(await newDealer(), url, { schedule: "0 12 * * *" });
      const idle = await made(await newDealer(), url, { active: false });
      expect(idle.next_run_at).toBeNull();
      const dayOn = () => scene.service.pass(DAY_SECONDS);
      expect(await nextRun(id, dayOn)).toMatchObject({ status: 404 });
      const after = await read(id);
      expect(Date.parse(after.next_run_at ?? "") - Date.parse(next ?? "")).toBeGreaterThanOrEqual(DAY_SECONDS * 1000);
      const { length } = heard;
      for (let day = 0; day < 6; day++) await nextRun(id, dayOn);
      expect(heard).toHaveLength(length + 6);
      expect(await read(id)).toMatchObject({ active: true });
      await nextRun(id, dayOn);
      expect(await read(id)).toMatchObject({ active: false, next_run_at: null });
      expect((await actionsOf(id))[0]).toBe("source.switched-off");
      expect((await read(idle.id)).runs).toEqual([]);
      const again = await scene.api<Source>("PUT", `/api/import-sources/${id}`, { body: { active: true } });
      expect(again.body).toMatchObject({ active: true, failing_since: null });
      expect(again.body.next_run_at).not.toBeNull();
    });

    test("a vehicle that somebody adds by hand is not missing of the next file", async () => {
      const { url } = await siteOf((_, response) => response.end(fileOf("K1")));
      const dealer = await newDealer();
      const { id } = await made(dealer, url, { options: { mode: "snapshot" } });
      await importOf(await ran(id));
      await create(scene.api, "/api/vehicles", vehicleBody(dealer, { vin: "BYHAND" }));
      await importOf(await ran(id));
      expect(await statusesOf(dealer)).toEqual({ BYHAND: "available", K1: "available" });
    });
  });

describe("without EGRESS_ALLOW", () => {
  const scene = sceneOn(ENGINES[0]);

  test("nobody fetches from this machine, whatever the address looks like", async () => {
    const { url, heard } = await siteOf((_, response) => response.end(fileOf("J1")));
    const { port } = new URL(url);
    for (const host of ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]"]) {
      const body = { name: "Inside", dealer_id: NORTH, url: `http://${host}:${port}/lot.csv`, schedule: "0 0 * * *" };
      const { id } = await create(scene.api, "/api/import-sources", body);
      expectReply(await scene.api("POST", `/api/import-sources/${id}/run`), { status: 202 });
      const { body: source } = await eventually(
        () => scene.api<Source>("GET", `/api/import-sources/${id}`),
        (reply) => reply.body.runs.length > 0,
        PATIENCE_MS,
      );
      expect([host, source.runs[0]?.problem]).toEqual([host, expect.stringContaining("may not be fetched from")]);
    }
    expect(heard).toEqual([]);
  });
});
