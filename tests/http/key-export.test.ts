import { beforeAll, describe, expect, test } from "bun:test";
import { ANSWERING } from "../support/engines.ts";
import { type Caller, type CreatedKey, create, keyBody, NORTH, SOUTH } from "../support/sample-records.ts";
import { pairs } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";
import { recordsOf } from "../support/tables.ts";

const EXPORT = "/api/keys/export";
/** More keys than an export reads at a time. */
const MANY = 230;
const FORMULA = '=HYPERLINK("https://example.com")';

interface ListedKey {
  readonly permissions: readonly { readonly resource: string; readonly action: string }[];
  readonly [field: string]: unknown;
}

/** A key of the list as a row of the table. */
const rowOf = ({ permissions, ...key }: ListedKey): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(key).map(([name, value]) => [name, String(value ?? "")])),
  permissions: permissions.map(({ resource, action }) => `${resource}:${action}`).join(" "),
});

for (const engine of ANSWERING)
  describe(`an export of keys on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    const secrets: string[] = [];

    beforeAll(async () => {
      for (let made = 0; made < MANY; made++)
        secrets.push(
          (
            await create<CreatedKey>(
              fixture.api,
              "/api/keys",
              keyBody({ dealer_id: made % 2 === 0 ? NORTH : SOUTH, active: made % 3 !== 0, description: "a, b\nc" }),
            )
          ).api_key,
        );
      await create(fixture.api, "/api/keys", keyBody({ name: FORMULA, app_id: "formula" }));
    });

    const listed = async (query: string, caller: Caller): Promise<readonly ListedKey[]> =>
      (await fixture.as<ListedKey[]>(caller, { method: "GET", path: `/api/keys?limit=1000&${query}` })).body;

    for (const [caller, query] of [
      ["super-admin", ""],
      ["super-admin", "status=revoked"],
      ["super-admin", `dealer_id=${SOUTH}&app_type=web`],
      ["super-admin", "q=showroom"],
      ["super-admin", "q=northern"],
      ["north's admin", ""],
      ["north", `dealer_id=${SOUTH}`],
      ["free user", ""],
    ] as const)
      test(`with "${query}" has every key that the ${caller} lists, in the list's order, with all fields`, async () => {
        const keys = await listed(query, caller);
        const { status, headers, text } = await fixture.as(caller, { method: "GET", path: `${EXPORT}?${query}` });
        expect([status, headers.get("content-type"), headers.get("content-disposition")]).toEqual([
          200,
          "text/csv; charset=utf-8",
          'attachment; filename="keys.csv"',
        ]);
        expect(headers.get("x-total-count")).toBe(String(keys.length));
        // These requests themselves change the last use of a key.
        const still = ({ last_used_at: _, ...row }: Record<string, string>) => row;
        expect(recordsOf(text).map(still)).toEqual(
          keys.map((key) => still({ ...rowOf(key), ...(key.name === FORMULA && { name: `'${FORMULA}` }) })),
        );
      });

    test("has no secret or hash of any key", async () => {
      const { text } = await fixture.api("GET", EXPORT);
      for (const secret of secrets) expect(text).not.toContain(secret);
      expect(text).not.toMatch(/[0-9a-f]{40}/);
      expect(recordsOf(text).length).toBeGreaterThan(MANY);
      expect(text.split("\r\n")[0]).not.toMatch(/hash|secret|api_key/);
    });

    test("is refused without the permission, and names a wrong filter", async () => {
      const key = await create<CreatedKey>(fixture.api, "/api/keys", keyBody({ permissions: pairs("vehicles:read") }));
      expect((await fixture.api("GET", EXPORT, { key: key.api_key })).status).toBe(403);
      for (const query of ["format=xlsx", "status=lost", "dealer_id=none"])
        expect((await fixture.api("GET", `${EXPORT}?${query}`)).status).toBe(400);
    });

    test("answers HEAD with its headers and no body", async () => {
      const { headers, text } = await fixture.api("HEAD", EXPORT);
      expect([headers.get("content-type"), text]).toEqual(["text/csv; charset=utf-8", ""]);
      expect(Number(headers.get("x-total-count"))).toBeGreaterThan(MANY);
    });
  });
