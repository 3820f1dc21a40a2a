import { describe, expect, test } from "bun:test";
import type { RequestListener } from "node:http";
import { hostname } from "node:os";
import { gzipSync } from "bun";
import type { Source } from "../../../core/sources/source.ts";
import { expectReply } from "../../support/cases.ts";
import type { Reply } from "../../support/client.ts";
import { ENGINES } from "../../support/engines.ts";
import { eventually } from "../../support/eventually.ts";
import { testMovingClock } from "../../support/moving-clock.ts";
import { type CreatedKey, create, keyBody, NORTH, userBody } from "../../support/sample-records.ts";
import { pairs } from "../../support/service.ts";
import { serviceFixture } from "../../support/service-fixture.ts";
import { WORKBOOK_TYPE, workbookOf } from "../../support/workbooks.ts";
import { fileOf, HEAD, openSites, sourcesOn } from "./sources.ts";

const DAY_SECONDS = 24 * 60 * 60;

for (const engine of ENGINES)
  describe(`import sources on ${engine.name}`, () => {
    const {
      fixture,
      siteOf,
      taggedSite,
      newDealer,
      bodyOf,
      made,
      read,
      nextRun,
      ran,
      importOf,
      statusesOf,
      actionsOf,
    } = sourcesOn(engine);

    test("fetch a file with its credentials, import it, and do not import it again while it is unchanged", async () => {
      const { requests, url } = await taggedSite(() => ({ text: fileOf("A1", "A2"), tag: '"one"' }));
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
      expect(requests.map(({ headers }) => [headers.authorization, headers["if-none-match"]])).toEqual([
        [sent, undefined],
        [sent, '"one"'],
      ]);
      expect((await read(source.id)).runs).toEqual([second, first]);
      expect(await actionsOf(source.id)).toEqual(["source.imported", "source.created"]);
      for (const path of [`/api/import-sources/${source.id}`, "/api/import-sources", "/api/audit?limit=100"])
        expect((await fixture.api("GET", path)).text).not.toContain("quite secret");
      expect(fixture.service.log()).not.toContain("quite secret");
    });

    test("import the sheet of a workbook that they fetch", async () => {
      const rowsOf = (vin: string) => [HEAD.split(","), [vin, 2020, "Honda", "Civic", 9000]];
      const sheets = ["A7", "A8"].map((vin) => ({ name: vin, rows: rowsOf(vin) }));
      const { url } = await siteOf((_, response) => {
        response.writeHead(200, { "content-type": WORKBOOK_TYPE }).end(workbookOf({ sheets }));
      });
      const { id } = await made(await newDealer(), url, { options: { sheet: "A8" } });
      expect(await importOf(await ran(id))).toMatchObject({
        file: { sheet: "A8" },
        counts: { created: 1 },
        warnings: [],
      });
    });

    test("read the same file again after a change of the options or the address", async () => {
      const { requests, url } = await taggedSite(() => ({ text: fileOf("B1"), tag: '"same"' }));
      const { id } = await made(await newDealer(), url);
      await importOf(await ran(id));
      await fixture.api("PUT", `/api/import-sources/${id}`, { body: { name: "Renamed" } });
      expect(await ran(id)).toMatchObject({ status: 304 });
      await fixture.api("PUT", `/api/import-sources/${id}`, { body: { options: { decimal: "comma" } } });
      expect(await ran(id)).toMatchObject({ status: 200, problem: null });
      expect(requests.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, '"same"', undefined]);
    });

    const FAILURES: readonly (readonly [what: string, answer: RequestListener, status: number, problem: RegExp])[] = [
      ["an error", (_, response) => response.writeHead(503).end("busy"), 503, /^The answer was 503/],
      ["an unrequested 304", (_, response) => response.writeHead(304).end(), 304, /^The answer was 304/],
      ["a page in place of a file", (_, response) => response.end("<html>"), 200, /heading|row|column/i],
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
          response.write(fileOf("E1"), () => response.destroy());
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
      test(`record ${what} as a failure of the run, without an import`, async () => {
        const { url } = await siteOf(answer);
        const dealer = await newDealer();
        const { id } = await made(dealer, url);
        const run = await ran(id);
        expect(run).toMatchObject({ import_id: null, status: status || null, bytes: null });
        expect(run.problem).toMatch(problem);
        expect((await fixture.api<{ data: [] }>("GET", `/api/imports?dealer_id=${dealer}`)).body.data).toEqual([]);
      });

    test("warn once of three failures in a row, and start anew after a success", async () => {
      let isDown = true;
      const { url } = await siteOf((_, response) =>
        isDown ? response.writeHead(500).end() : response.end(fileOf("F1")),
      );
      const { id } = await made(await newDealer(), url);
      for (let time = 0; time < 4; time++) await ran(id);
      expect(await actionsOf(id)).toEqual(["source.failing", "source.created"]);
      await eventually(fixture.service.log, (log) => log.includes("an import source keeps failing"));
      expect((await read(id)).failing_since).not.toBeNull();
      isDown = false;
      await importOf(await ran(id));
      expect((await read(id)).failing_since).toBeNull();
    });

    const LOSSES: readonly (readonly [what: string, lose: (key: number, user: number) => Promise<Reply<unknown>>])[] = [
      ["creator's key is revoked", (key) => fixture.api("POST", `/api/keys/${key}/revoke`)],
      ["creator's key is deleted", (key) => fixture.api("DELETE", `/api/keys/${key}`)],
      ["creator is deactivated", (_, user) => fixture.api("DELETE", `/api/users/${user}`)],
      [
        "creator loses the permission",
        (_, user) => fixture.api("PUT", `/api/users/${user}`, { body: { permissions: [] } }),
      ],
    ];
    for (const [what, lose] of LOSSES)
      test(`are not fetched if the ${what}, and say why, until somebody else changes them`, async () => {
        const { url, requests } = await siteOf((_, response) => response.end(fileOf("R1")));
        const dealer = await newDealer();
        const permissions = pairs("vehicles:read", "vehicles:write");
        const user = await create(fixture.api, "/api/users", userBody({ dealer_id: dealer, permissions }));
        const key = await create<CreatedKey>(fixture.api, "/api/keys", keyBody({ user_id: user.id }));
        const asMaker = { key: key.api_key, body: bodyOf(dealer, url) };
        const { id } = (await fixture.api<Source>("POST", "/api/import-sources", asMaker)).body;
        expectReply(await lose(key.id, user.id), { status: 200 });
        expect(await ran(id)).toMatchObject({
          import_id: null,
          problem:
            "Whoever changed the source last may not import vehicles of its dealer any more; whoever changes it now takes it over",
        });
        expect(requests).toEqual([]);
        await fixture.api("PUT", `/api/import-sources/${id}`, { body: { name: "Taken over" } });
        expect(await ran(id)).toMatchObject({ status: 200, problem: null });
      });

    test("record a failed import as a failure, and fetch the same file again", async () => {
      let file = { text: `${fileOf("L1")}L2,20x0,Kia,Rio,9000\n`, tag: '"bad"' };
      const { url, requests } = await taggedSite(() => file);
      const { id } = await made(await newDealer(), url, { options: { on_error: "reject" } });
      for (let time = 1; time <= 3; time++) {
        expect(await importOf(await ran(id))).toMatchObject({ state: "failed" });
        const { runs, failing_since } = await read(id);
        expect(runs[0]).toMatchObject({ status: 200, problem: expect.stringContaining("nothing is written") });
        expect(failing_since).not.toBeNull();
      }
      expect(requests.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, undefined, undefined]);
      expect((await actionsOf(id)).filter((action) => action === "source.failing")).toHaveLength(1);
      file = { text: fileOf("L1"), tag: '"good"' };
      expect(await importOf(await ran(id))).toMatchObject({ state: "completed" });
      const { runs, failing_since } = await read(id);
      expect([runs[0]?.problem, failing_since]).toEqual([null, null]);
      expect(runs.map(({ problem }) => problem !== null)).toEqual([false, true, true, true]);
      expect(await ran(id)).toMatchObject({ status: 304 });
    });

    test("apply a mapping of the dealer; a deleted one, or another dealer's, is a failure", async () => {
      const { url } = await siteOf((_, response) =>
        response.end("Chassis,Jahr,Make,Model,Price\nM1,2020,Kia,Rio,9000\n"),
      );
      const [dealer, other] = [await newDealer(), await newDealer()];
      const mappingOf = async (dealer_id: number): Promise<number> => {
        const columns = { Chassis: "vin", Jahr: "year" };
        return (await create(fixture.api, "/api/import-mappings", { name: "Theirs", dealer_id, columns })).id;
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
      const isMissing = {
        import_id: null,
        problem: expect.stringMatching(/^mapping must be a mapping of the dealer, and \d+ is none$/),
      };
      const foreign = await made(dealer, url, { options: { mapping: await mappingOf(other) } });
      expect(await ran(foreign.id)).toMatchObject(isMissing);
      expectReply(await fixture.api("DELETE", `/api/import-mappings/${mapping}`), { status: 200 });
      expect(await ran(source.id)).toMatchObject(isMissing);
    });

    testMovingClock("are fetched on schedule, and switched off after failing for 7 days", async () => {
      const { url, requests } = await siteOf((_, response) => response.writeHead(404).end());
      const { id, next_run_at: next } = await made(await newDealer(), url, { schedule: "0 12 * * *" });
      const idle = await made(await newDealer(), url, { active: false });
      expect(idle.next_run_at).toBeNull();
      const dayOn = () => fixture.service.runTimers(DAY_SECONDS);
      expect(await nextRun(id, dayOn)).toMatchObject({ status: 404 });
      const after = await read(id);
      expect(Date.parse(after.next_run_at ?? "") - Date.parse(next ?? "")).toBeGreaterThanOrEqual(DAY_SECONDS * 1000);
      const { length } = requests;
      for (let day = 0; day < 6; day++) await nextRun(id, dayOn);
      expect(requests).toHaveLength(length + 6);
      expect(await read(id)).toMatchObject({ active: true });
      await nextRun(id, dayOn);
      expect(await read(id)).toMatchObject({ active: false, next_run_at: null });
      expect((await actionsOf(id))[0]).toBe("source.switched-off");
      expect((await read(idle.id)).runs).toEqual([]);
      const again = await fixture.api<Source>("PUT", `/api/import-sources/${id}`, { body: { active: true } });
      expect(again.body).toMatchObject({ active: true, failing_since: null });
      expect(again.body.next_run_at).not.toBeNull();
    });
  });

describe("import sources without EGRESS_ALLOW", () => {
  const fixture = serviceFixture(ENGINES[0]);
  const { siteOf } = openSites();

  test("fetch nothing from the service's own machine, however its address is written", async () => {
    const { url, requests } = await siteOf((_, response) => response.end(fileOf("J1")));
    const { port } = new URL(url);
    const bodyAt = (url: string) => ({ name: "Inside", dealer_id: NORTH, url, schedule: "0 0 * * *" });
    for (const host of ["127.0.0.1", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "localhost"])
      for (const scheme of ["http", "https"]) {
        const body = bodyAt(`${scheme}://${host}:${port}/lot.csv`);
        expectReply(await fixture.api("POST", "/api/import-sources", { body }), {
          status: 400,
          code: "target_refused",
        });
      }
    // Whatever it leads to, it is no public address.
    const { id } = await create(fixture.api, "/api/import-sources", bodyAt(`https://${hostname()}:${port}/lot.csv`));
    expectReply(await fixture.api("POST", `/api/import-sources/${id}/run`), { status: 202 });
    const { body: source } = await eventually(
      () => fixture.api<Source>("GET", `/api/import-sources/${id}`),
      (reply) => reply.body.runs.length > 0,
    );
    expect(source.runs[0]?.problem).toContain("may not be fetched from");
    expect(source.runs[0]?.problem).not.toContain("machine");
    expect(requests).toEqual([]);
    // What the answers do not tell is in the log, for whoever runs the service.
    await eventually(fixture.service.log, (log) => /its address is|no machine is known by its name/.test(log));
  });
});
