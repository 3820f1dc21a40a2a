import { describe, expect, test } from "bun:test";
import type { Import } from "../../../core/imports/import.ts";
import { expectReply } from "../../support/cases.ts";
import { ENGINES } from "../../support/engines.ts";
import { eventually } from "../../support/eventually.ts";
import { type CreatedKey, create, keyBody } from "../../support/sample-records.ts";
import { pairs } from "../../support/service.ts";
import { HEAD, importsOn } from "./imports.ts";

/** So many rows that an import is not done before a request comes that ends it. */
const MANY = 1000;

for (const engine of ENGINES)
  describe(`imports on ${engine.name}`, () => {
    const { fixture, newDealer, post, rested, imported, vehiclesOf } = importsOn(engine);

    test("are checked without a change in a dry run, and then run on the same bytes", async () => {
      const dealer = await newDealer();
      const checked = await imported({ dealer, options: "dry_run=true", raw: `${HEAD}\nA1,,2020,Honda,Civic,9000\n` });
      expect(checked).toMatchObject({ state: "previewed", counts: { created: 1 } });
      expect(await vehiclesOf(dealer)).toEqual([]);
      expectReply(await fixture.api("POST", `/api/imports/${checked.id}/run`), { status: 202 });
      expect(await rested(checked.id)).toMatchObject({ state: "completed", counts: { created: 1 } });
      expect(await vehiclesOf(dealer)).toMatchObject([{ vin: "A1" }]);
      expectReply(await fixture.api("POST", `/api/imports/${checked.id}/run`), { status: 409, code: "import_state" });
    });

    test("write nothing with on_error=reject unless every row is valid", async () => {
      const dealer = await newDealer();
      const options = "on_error=reject";
      const bad = await imported({ dealer, options, raw: `${HEAD}\nA1,,2020,Honda,Civic,1\nA2,,1,Honda,Civic,1\n` });
      expect(bad).toMatchObject({ state: "failed", error: { code: "rows_failed" }, counts: { created: 1, failed: 1 } });
      expect(await vehiclesOf(dealer)).toEqual([]);
      // For later rows a stock number belongs to the new vehicle, in the first pass as in the second.
      const taken = await imported({
        dealer,
        options,
        raw: `${HEAD}\nA1,S,2020,Honda,Civic,1\nA2,S,2020,Honda,Civic,1\n`,
      });
      expect(taken).toMatchObject({ state: "failed", error: { code: "rows_failed" } });
      expect(await vehiclesOf(dealer)).toEqual([]);
      const good = await imported({
        dealer,
        options,
        raw: `${HEAD}\nA1,,2020,Honda,Civic,1\nA2,,2020,Honda,Civic,1\n`,
      });
      expect(good).toMatchObject({ state: "completed", counts: { created: 2, failed: 0 } });
    });

    test("can be stopped, keep what was done, and continue later", async () => {
      const dealer = await newDealer();
      const lines = Array.from({ length: MANY }, (_, n) => `V${n},,2020,Honda,Civic,${n + 1}`);
      const { body } = await post({ dealer, raw: `${HEAD}\n${lines.join("\n")}\n` });
      const read = () => fixture.api<Import>("GET", `/api/imports/${body.id}`);
      const running = await eventually(read, (reply) => reply.body.progress.read > 0);
      if (running.body.state === "running") expect(running.headers.get("retry-after")).toBe("2");
      expectReply(await fixture.api("POST", `/api/imports/${body.id}/cancel`), { status: 200 });
      const stopped = await rested(body.id);
      expect(stopped.state).toBe("cancelled");
      const total = async () =>
        (await fixture.api("GET", `/api/vehicles?dealer_id=${dealer}&limit=1`)).headers.get("x-total-count");
      expect(await total()).toBe(String(stopped.progress.read));
      expect(stopped.progress.read).toBeLessThan(MANY);
      expectReply(await fixture.api("POST", `/api/imports/${body.id}/run`), { status: 202 });
      expect(await rested(body.id)).toMatchObject({ state: "completed", counts: { created: MANY, failed: 0 } });
      expect(await total()).toBe(String(MANY));
    });

    test("fail when the caller who started them loses the permission", async () => {
      const dealer = await newDealer();
      const body = keyBody({ dealer_id: dealer, permissions: pairs("vehicles:write") });
      const made = await create<CreatedKey>(fixture.api, "/api/keys", body);
      const lines = Array.from({ length: MANY }, (_, n) => `V${n},,2020,Honda,Civic,${n + 1}`);
      const sent = await post({ key: made.api_key, raw: `${HEAD}\n${lines.join("\n")}\n` });
      const read = () => fixture.api<Import>("GET", `/api/imports/${sent.body.id}`);
      await eventually(read, (reply) => reply.body.progress.read > 0);
      await fixture.api("POST", `/api/keys/${made.id}/revoke`);
      const failed = await rested(sent.body.id);
      expect(failed).toMatchObject({ state: "failed", error: { code: "rights_lost" } });
      expect(failed.counts.created).toBeLessThan(MANY);
    });

    test("that ended are deleted with their rows, and without effect on vehicles", async () => {
      const dealer = await newDealer();
      const { id } = await imported({ dealer, raw: `${HEAD}\nA1,,2020,Honda,Civic,9000\n` });
      expectReply(await fixture.api("DELETE", `/api/imports/${id}`), { status: 200 });
      for (const path of [`/api/imports/${id}`, `/api/imports/${id}/rows`, `/api/imports/${id}/errors.csv`])
        expectReply(await fixture.api("GET", path), { status: 404 });
      expect(await vehiclesOf(dealer)).toHaveLength(1);
    });

    test("are listed by page, newest first, and can be filtered", async () => {
      const dealer = await newDealer();
      const ids: number[] = [];
      for (const vin of ["A", "B", "C"])
        ids.unshift((await imported({ dealer, raw: `${HEAD}\n${vin},,2020,Honda,Civic,1\n` })).id);
      interface Page {
        readonly data: readonly Import[];
        readonly meta: { readonly next_cursor: string | null; readonly total: number };
      }
      const page = async (query: string) =>
        (await fixture.api<Page>("GET", `/api/imports?dealer_id=${dealer}&${query}`)).body;
      const first = await page("limit=2");
      expect([first.data.map(({ id }) => id), first.meta.total]).toEqual([ids.slice(0, 2), 3]);
      const second = await page(`limit=2&cursor=${first.meta.next_cursor}`);
      expect([second.data.map(({ id }) => id), second.meta.next_cursor]).toEqual([ids.slice(2), null]);
      expect((await page("state=failed")).data).toEqual([]);
    });
  });
