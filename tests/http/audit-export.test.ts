import { beforeAll, describe, expect, test } from "bun:test";
import { ANSWERING } from "../support/engines.ts";
import { type CreatedKey, create, keyBody, NORTH, SOUTH, userBody, vehicleBody } from "../support/sample-records.ts";
import { pairs } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";
import { recordsOf } from "../support/tables.ts";

const EXPORT = "/api/audit/export";
/** More entries than an export reads at a time. */
const MANY = 230;

interface Entry {
  readonly actor: object;
  readonly before: unknown;
  readonly after: unknown;
  readonly [field: string]: unknown;
}

const jsonOf = (value: unknown): string => (value === null ? "" : JSON.stringify(value));

/** An entry of the list as a row of the table. */
const rowOf = ({ actor, before, after, ...plain }: Entry): Record<string, string> =>
  Object.fromEntries(
    Object.entries({
      ...plain,
      ...Object.fromEntries(Object.entries(actor).map(([name, value]) => [`actor_${name}`, value])),
      before: before && jsonOf(before),
      after: after && jsonOf(after),
    }).map(([name, value]) => [name, value === null ? "" : String(value)]),
  );

for (const engine of ANSWERING)
  describe(`an export of the audit log on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);

    beforeAll(async () => {
      const { api } = fixture;
      for (let made = 0; made < MANY; made++)
        await create(api, "/api/vehicles", vehicleBody(made % 2 === 0 ? NORTH : SOUTH));
      await create(api, "/api/users", userBody({ name: '=HYPERLINK("https://example.com","Robin")' }));
    });

    const listed = async (query: string, key?: string): Promise<Entry[]> => {
      const sent = key === undefined ? {} : { key };
      return (await fixture.api<Entry[]>("GET", `/api/audit?limit=1000&${query}`, sent)).body;
    };

    for (const [name, query] of [
      ["everything", ""],
      ["a kind of record", "resource=vehicles"],
      ["a dealer and an action", `dealer_id=${SOUTH}&action=vehicle.changed`],
      ["an action that nobody did", "action=key.transferred"],
    ] as const)
      test(`of ${name} has every entry of the list in its order, with every field`, async () => {
        const entries = await listed(query);
        const { status, headers, text } = await fixture.api("GET", `${EXPORT}?${query}`);
        expect([status, headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
        expect(headers.get("content-disposition")).toBe('attachment; filename="audit.csv"');
        expect(headers.get("x-total-count")).toBe(String(entries.length));
        const rows = recordsOf(text);
        expect(rows.map(({ id }) => id)).toEqual(entries.map(({ id }) => String(id)));
        expect(rows.filter(({ record_name }) => !record_name?.startsWith("'"))).toEqual(
          entries.filter(({ record_name }) => !String(record_name).startsWith("=")).map(rowOf),
        );
      });

    test("has no text that a spreadsheet would evaluate as a formula", async () => {
      const { text } = await fixture.api("GET", `${EXPORT}?resource=users&action=user.created`);
      expect(recordsOf(text)[0]?.record_name).toBe('\'=HYPERLINK("https://example.com","Robin")');
    });

    test("by a dealer's key has only that dealer's entries, as its list does", async () => {
      const key = await create<CreatedKey>(
        fixture.api,
        "/api/keys",
        keyBody({ dealer_id: NORTH, permissions: pairs("audit:read") }),
      );
      const rows = recordsOf((await fixture.api("GET", EXPORT, { key: key.api_key })).text);
      expect(rows).toEqual((await listed("", key.api_key)).map(rowOf));
      expect(rows.length).toBeGreaterThan(MANY / 2);
      expect(new Set(rows.map(({ dealer_id }) => dealer_id))).toEqual(new Set([String(NORTH)]));
      const other = await fixture.api("GET", `${EXPORT}?dealer_id=${SOUTH}`, { key: key.api_key });
      expect([other.headers.get("x-total-count"), recordsOf(other.text)]).toEqual(["0", []]);
    });

    test("is refused without the permission, and names a wrong filter", async () => {
      const key = await create<CreatedKey>(fixture.api, "/api/keys", keyBody({ permissions: pairs("vehicles:read") }));
      expect((await fixture.api("GET", EXPORT, { key: key.api_key })).status).toBe(403);
      for (const query of ["from=yesterday", "format=xlsx", "resource=cars"]) {
        const refused = await fixture.api<{ details: { path: string }[] }>("GET", `${EXPORT}?${query}`);
        expect([refused.status, refused.body.details[0]?.path]).toEqual([400, query.split("=")[0] as string]);
      }
    });

    test("answers HEAD with its headers and no body", async () => {
      const { headers, text } = await fixture.api("HEAD", `${EXPORT}?resource=vehicles`);
      expect([headers.get("content-type"), text]).toEqual(["text/csv; charset=utf-8", ""]);
      expect(Number(headers.get("x-total-count"))).toBeGreaterThanOrEqual(MANY);
    });
  });
