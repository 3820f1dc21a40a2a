import { describe, expect, test } from "bun:test";
import type { Import } from "../../core/imports/import.ts";
import type { Mapping } from "../../core/imports/mapping.ts";
import { expectReply } from "../support/cases.ts";
import { ENGINES } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { create, dealerBody, NORTH, SOUTH } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const PATH = "/api/import-mappings";

interface Page {
  readonly data: readonly Mapping[];
  readonly meta: { readonly next_cursor: string | null; readonly total: number };
}

for (const engine of ENGINES)
  describe(`import mappings on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    const newDealer = async (): Promise<number> => (await create(fixture.api, "/api/dealers", dealerBody())).id;
    const kept = (fields: object) => create(fixture.api, PATH, { name: "Nightly", columns: {}, ...fields });
    const read = async (id: number): Promise<Mapping> => (await fixture.api<Mapping>("GET", `${PATH}/${id}`)).body;

    test("are stored as sent, changed and deleted, and the audit log has each step", async () => {
      const dealer = await newDealer();
      const columns = { "Their price": "price", Notes: null, "Größe #1": "trim" };
      const made = await fixture.api<Mapping>("POST", PATH, { body: { name: "Nightly", dealer_id: dealer, columns } });
      expectReply(made, { status: 201, has: { name: "Nightly", dealer_id: dealer, columns } });
      const { id } = made.body;
      expect(made.headers.get("location")).toBe(`${PATH}/${id}`);
      expect(await read(id)).toEqual(made.body);
      expect(made.body.values).toEqual({});
      const changed = await fixture.api<Mapping>("PUT", `${PATH}/${id}`, {
        body: { ...made.body, name: "Weekly", columns: { A: "vin" }, values: { fuel_type: { Benzin: "Gasoline" } } },
      });
      const after = { columns: { A: "vin" }, values: { fuel_type: { Benzin: "Gasoline" } } };
      expectReply(changed, { status: 200, has: { name: "Weekly", dealer_id: dealer, ...after } });
      expect(await read(id)).toEqual(changed.body);
      expectReply(await fixture.api("DELETE", `${PATH}/${id}`), { status: 200 });
      expectReply(await fixture.api("GET", `${PATH}/${id}`), { status: 404, code: "not_found" });
      const { body } = await fixture.api<{ action: string; before: Mapping | null }[]>(
        "GET",
        `/api/audit?resource=mappings&id=${id}`,
      );
      expect(body.map(({ action, before }) => [action, before?.name ?? null])).toEqual([
        ["mapping.removed", "Weekly"],
        ["mapping.changed", "Nightly"],
        ["mapping.created", null],
      ]);
    });

    test("are changed and deleted without effect on others", async () => {
      const dealer = await newDealer();
      const made: number[] = [];
      for (const dealer_id of [dealer, dealer, dealer, await newDealer()]) made.push((await kept({ dealer_id })).id);
      const [first = 0, meant = 0, ...others] = made;
      const all = () => Promise.all([first, ...others].map(read));
      const before = await all();
      const body = { name: "Weekly", columns: { A: "vin" } };
      expectReply(await fixture.api("PUT", `${PATH}/${meant}`, { body }), { status: 200, has: body });
      expect(await all()).toEqual(before);
      expectReply(await fixture.api("DELETE", `${PATH}/${meant}`), { status: 200 });
      expect(await all()).toEqual(before);
    });

    const REFUSED = [
      ["without a name", { columns: {} }, "name"],
      ["with a blank name", { name: " ", columns: {} }, "name"],
      ["without columns", { name: "A" }, "columns"],
      ["with a list of columns", { name: "A", columns: [] }, "columns"],
      ["with a column for an unknown field", { name: "A", columns: { VIN: "nothing" } }, "columns.VIN"],
      ["with a field that files cannot set", { name: "A", columns: { VIN: "id" } }, "columns.VIN"],
      ["with very long headings", { name: "A", columns: { ["A".repeat(20_001)]: null } }, "columns"],
      ["with values of a field without such", { name: "A", columns: {}, values: { price: {} } }, "values.price"],
      [
        "with a word that means no status",
        { name: "A", columns: {}, values: { status: { Hof: "yard" } } },
        "values.status.Hof",
      ],
      ["of a missing dealer", { name: "A", columns: {}, dealer_id: 9_999_999 }, "dealer_id"],
      ["of a dealer that is no number", { name: "A", columns: {}, dealer_id: "one" }, "dealer_id"],
      ["of no dealer", { name: "A", columns: {}, dealer_id: undefined }, "dealer_id"],
    ] as const;
    for (const [name, body, path] of REFUSED)
      test(`${name} are refused`, async () => {
        const reply = await fixture.api<{ details: { path: string }[] }>("POST", PATH, {
          body: { dealer_id: NORTH, ...body },
        });
        expectReply(reply, { status: 400, code: "invalid_input" });
        expect(reply.body.details.map((issue) => issue.path)).toEqual([path]);
      });

    test("are listed by page, newest first, of one dealer on request", async () => {
      const dealer = await newDealer();
      const ids: number[] = [];
      for (const name of ["A", "B", "C"]) ids.unshift((await kept({ name, dealer_id: dealer })).id);
      await kept({ dealer_id: SOUTH });
      const page = async (query: string) => (await fixture.api<Page>("GET", `${PATH}?${query}`)).body;
      const first = await page(`dealer_id=${dealer}&limit=2`);
      expect([first.data.map(({ id }) => id), first.meta.total]).toEqual([ids.slice(0, 2), 3]);
      const second = await page(`dealer_id=${dealer}&limit=2&cursor=${first.meta.next_cursor}`);
      expect([second.data.map(({ id }) => id), second.meta.next_cursor]).toEqual([ids.slice(2), null]);
      expect((await page("")).meta.total).toBeGreaterThan(3);
    });

    test("belong to a bound caller's dealer, and other dealers' do not exist for it", async () => {
      const { api_key: key } = fixture.records.keys.north;
      const body = { name: "Ours", dealer_id: SOUTH, columns: {} };
      const own = await fixture.api<Mapping>("POST", PATH, { key, body });
      expectReply(own, { status: 201, has: { dealer_id: NORTH } });
      const { id } = await kept({ dealer_id: SOUTH });
      for (const [method, sent] of [["GET"], ["PUT", { name: "Mine" }], ["DELETE"]] as const)
        expectReply(await fixture.api(method, `${PATH}/${id}`, { key, ...(sent && { body: sent }) }), { status: 404 });
      expect(await read(id)).toMatchObject({ name: "Nightly" });
      const { data } = (await fixture.api<Page>("GET", `${PATH}?dealer_id=${SOUTH}`, { key })).body;
      expect(data.every(({ dealer_id }) => dealer_id === NORTH)).toBe(true);
    });

    test("apply to imports of their dealer, and the request may add columns", async () => {
      const dealer = await newDealer();
      const { id } = await kept({ dealer_id: dealer, columns: { Ours: "vin", Cost: "price", Trim: null } });
      const send = (options: string) =>
        fixture.api<Import>("POST", `/api/imports?mapping=${id}&${options}`, {
          raw: "Ours,Cost,Trim,Year,Make,Model\nA1,5,SE,2020,Kia,Rio\n",
          headers: { "content-type": "text/csv" },
        });
      const columns = encodeURIComponent('{"Trim":"trim"}');
      const sent = await send(`dealer_id=${dealer}&columns=${columns}`);
      expectReply(sent, { status: 202 });
      expect(sent.body.columns.slice(0, 3)).toEqual([
        { heading: "Ours", field: "vin" },
        { heading: "Cost", field: "price" },
        { heading: "Trim", field: "trim" },
      ]);
      const { body } = await eventually(
        () => fixture.api<Import>("GET", `/api/imports/${sent.body.id}`),
        (reply) => reply.body.state === "completed",
      );
      expect(body.counts).toMatchObject({ created: 1, failed: 0 });
      const foreign = await send(`dealer_id=${NORTH}`);
      expectReply(foreign, { status: 400, code: "invalid_input" });
      expect(foreign.text).toContain(`: mapping must be a mapping of the dealer, and ${id} is none`);
    });

    test("say what words of the next file mean, after an import listed those that the service does not know", async () => {
      const dealer = await newDealer();
      const send = async (options: string): Promise<Import> => {
        const sent = await fixture.api<Import>("POST", `/api/imports?dealer_id=${dealer}&dry_run=true&${options}`, {
          raw: "VIN,Year,Make,Model,Price,Fuel,Colour\nA1,2020,Kia,Rio,5,Benzin,Rot\nA2,2020,Kia,Rio,5,benzin,Red\n",
          headers: { "content-type": "text/csv" },
        });
        const { id } = sent.body;
        const ended = await eventually(
          () => fixture.api<Import>("GET", `/api/imports/${id}`),
          (reply) => reply.body.state === "previewed",
        );
        return ended.body;
      };
      const first = await send("");
      expect(first.unknown_values).toEqual([
        { field: "fuel_type", heading: "Fuel", value: "Benzin", count: 2, guess: "Gasoline" },
        { field: "exterior_color", heading: "Colour", value: "Rot", count: 1, guess: "Red" },
      ]);
      const { id } = await kept({ dealer_id: dealer, values: { fuel_type: { Benzin: "Gasoline" } } });
      const values = encodeURIComponent('{"exterior_color":{"rot":"Red"}}');
      const next = await send(`mapping=${id}&values=${values}`);
      expect(next.unknown_values).toEqual([]);
      const rows = await fixture.api<{ data: readonly { changes: Record<string, unknown> }[] }>(
        "GET",
        `/api/imports/${next.id}/rows`,
      );
      expect(rows.body.data.map(({ changes }) => [changes.fuel_type, changes.exterior_color])).toEqual([
        [
          [null, "Gasoline"],
          [null, "Red"],
        ],
        [
          [null, "Gasoline"],
          [null, "Red"],
        ],
      ]);
      const refused = await fixture.api<{ details: readonly { path: string }[] }>(
        "POST",
        `/api/imports?dealer_id=${dealer}&values=${encodeURIComponent('{"status":{"Hof":"yard"},"doors":{}}')}`,
        { raw: "VIN\nA1\n", headers: { "content-type": "text/csv" } },
      );
      expect([refused.status, refused.body.details.map(({ path }) => path)]).toEqual([
        400,
        ["values.status.Hof", "values.doors"],
      ]);
    });
  });
