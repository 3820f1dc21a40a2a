import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ANSWERING } from "../support/engines.ts";
import {
  type CreatedKey,
  create,
  dealerBody,
  keyBody,
  NORTH,
  SOUTH,
  SOUTH_CAR,
  SOUTH_MARK,
  userBody,
} from "../support/sample-records.ts";
import { pairs } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

interface Listed {
  readonly id: number;
  readonly name: string;
}

const LISTS = ["/api/dealers", "/api/users", "/api/keys"] as const;

/** What the other dealer may do to its own records. */
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom("dealer", "user", "key", "rename"),
    text: fc.constantFrom("Northern Motors", "Robin", "Showroom website", "aaa", "Åre", "zzz", SOUTH_MARK),
  }),
  { maxLength: 4 },
);
const queries = fc.record({
  list: fc.constantFrom(...LISTS),
  q: fc.constantFrom("", "n", "robin", "show", "south", "aaa", "vis", "motors northern", "1", "2"),
  sort: fc.constantFrom("created", "name"),
  order: fc.constantFrom("asc", "desc"),
});

for (const engine of ANSWERING)
  describe(`search and lists on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);

    test("show a caller the same total, order and names, whatever another dealer changes", async () => {
      let number = 0;
      const doAs = async ({ kind, text }: { kind: string; text: string }): Promise<void> => {
        number++;
        const path =
          { dealer: `/api/dealers/${SOUTH}`, rename: `/api/dealers/${SOUTH}`, user: "/api/users", key: "/api/keys" }[
            kind
          ] ?? "";
        const body = {
          dealer: { city: text, email: `${number}@example.com` },
          rename: { name: text },
          user: userBody({ name: text, email: `u${number}@example.com` }),
          key: keyBody({ name: text, description: text }),
        }[kind];
        const reply = await fixture.as("south", {
          method: kind === "user" || kind === "key" ? "POST" : "PUT",
          path,
          body,
        });
        expect(reply.status).toBeLessThan(300);
      };
      await fc.assert(
        fc.asyncProperty(steps, fc.array(queries, { minLength: 1, maxLength: 4 }), async (changes, asked) => {
          const look = async (): Promise<unknown[]> => {
            const seen: unknown[] = [];
            for (const { list, q, sort, order } of asked) {
              const include = list === "/api/dealers" ? "" : "&include=names";
              const path = `${list}?sort=${sort}&order=${order}${include}${q === "" ? "" : `&q=${q}`}`;
              for (const caller of ["north", "north's admin", "north's user"] as const) {
                const { status, body, headers } = await fixture.as(caller, { method: "GET", path });
                // The last use changes with each request.
                const fixed = JSON.stringify(body).replaceAll(/"last_used_at":("[^"]*"|null)/g, "");
                seen.push([path, caller, status, status === 200 && fixed, headers.get("x-total-count")]);
              }
            }
            return seen;
          };
          const before = await look();
          for (const change of changes) await doAs(change);
          expect(await look()).toEqual(before);
        }),
        { numRuns: 15 },
      );
    });

    test("show a bound caller only its own dealer, users and keys, for any search", async () => {
      for (const q of ["motors", "example", "a", "s", "vis", "2"])
        for (const list of LISTS) {
          const reply = await fixture.as<Listed[]>("north", { method: "GET", path: `${list}?q=${q}&limit=1000` });
          expect([list, q, reply.status]).toEqual([list, q, 200]);
          expect(reply.text).not.toContain(`"dealer_id":${SOUTH}`);
          if (list === "/api/dealers") expect(reply.body.every(({ id }) => id === NORTH)).toBe(true);
        }
    });

    test("add names to ids only on request", async () => {
      const dealer = (await create(fixture.api, "/api/dealers", dealerBody({ name: "Named Motors" }))).id;
      const user = (await create(fixture.api, "/api/users", userBody({ name: "Named User", dealer_id: dealer }))).id;
      const [ofDealer, ofUser] = [
        await create<CreatedKey>(fixture.api, "/api/keys", keyBody({ dealer_id: dealer, name: "Named" })),
        await create<CreatedKey>(fixture.api, "/api/keys", keyBody({ user_id: user, name: "Named" })),
      ];
      const car = { dealer_id: dealer, make: "Kia", model: "Rio", year: 2020, price: 1 };
      const vehicle = (await create(fixture.api, "/api/vehicles", car)).id;
      const read = async (path: string): Promise<Record<string, unknown>> => {
        const { body } = await fixture.api<object>("GET", path);
        return { ...((body as { vehicles?: object[] }).vehicles?.[0] ?? (Array.isArray(body) ? body[0] : body)) };
      };
      const namesOfKey = {
        dealer_name: null,
        bound_dealer_name: "Named Motors",
        user_name: "Named User",
        user_active: true,
      };
      for (const [path, names] of [
        [
          `/api/keys/${ofDealer.id}`,
          { dealer_name: "Named Motors", bound_dealer_name: "Named Motors", user_name: null, user_active: null },
        ],
        [`/api/keys/${ofUser.id}`, namesOfKey],
        ["/api/keys?q=named", namesOfKey],
        [`/api/users/${user}`, { dealer_name: "Named Motors" }],
        ["/api/users?q=named", { dealer_name: "Named Motors" }],
        [`/api/vehicles/${vehicle}`, { dealer_name: "Named Motors" }],
        ["/api/vehicles?make=kia", { dealer_name: "Named Motors" }],
        [`/api/dealers/${dealer}/vehicles`, { dealer_name: "Named Motors" }],
        [`/api/audit?resource=vehicles&id=${vehicle}`, { dealer_name: "Named Motors" }],
      ] as const) {
        const plain = await read(path);
        expect([
          path,
          Object.keys(plain).filter((field) => /^(dealer|bound_dealer|user)_name$|^user_active$/.test(field)),
        ]).toEqual([path, []]);
        const withNames = await read(`${path}${path.includes("?") ? "&" : "?"}include=names`);
        const fresh = (record: Record<string, unknown>) => ({ ...record, last_used_at: null });
        expect([path, fresh(withNames)]).toEqual([path, fresh({ ...plain, ...names })]);
      }
      for (const path of [`/api/keys/${ofDealer.id}`, `/api/keys/${ofUser.id}`, `/api/users/${user}`]) {
        const { body } = await fixture.api<object>("GET", `${path}?include=names`);
        const reply = await fixture.api<object>("PUT", path, { body });
        expect([path, reply.status, reply.text]).toEqual([path, 200, expect.any(String)]);
      }
      await fixture.api("DELETE", `/api/users/${user}`);
      for (const path of [`/api/keys/${ofUser.id}?include=names`, "/api/keys?q=named&include=names"])
        expect([path, await read(path)]).toMatchObject([path, { active: true, user_active: false }]);
      expect((await fixture.api("GET", "/api/keys?include=secrets")).status).toBe(400);
    });

    test("hide names from callers who may not read the record", async () => {
      const blind = await create<CreatedKey>(
        fixture.api,
        "/api/keys",
        keyBody({ permissions: pairs("keys:read", "vehicles:read"), name: "Blind" }),
      );
      const asBlind = (path: string) => fixture.api<Record<string, unknown>[]>("GET", path, { key: blind.api_key });
      const listed = await asBlind("/api/keys?include=names&limit=1000");
      expect(
        new Set(listed.body.flatMap((key) => [key.dealer_name, key.bound_dealer_name, key.user_name, key.user_active])),
      ).toEqual(new Set([null]));
      expect((await asBlind(`/api/vehicles/${SOUTH_CAR}?include=names`)).body).toMatchObject({ dealer_name: null });
      // A search does not reveal them either.
      const dealer = await create(fixture.api, "/api/dealers", dealerBody({ name: "Veiled Motors" }));
      const user = await create(fixture.api, "/api/users", userBody({ name: "Shrouded Person" }));
      await create(fixture.api, "/api/keys", keyBody({ dealer_id: dealer.id }));
      await create(fixture.api, "/api/keys", keyBody({ user_id: user.id }));
      for (const q of ["veiled", "shrouded"]) {
        expect((await asBlind(`/api/keys?q=${q}`)).body).toEqual([]);
        expect((await fixture.api<unknown[]>("GET", `/api/keys?q=${q}`)).body).toHaveLength(1);
      }
    });

    for (const [list, sort] of [
      ["/api/dealers", "name"],
      ["/api/dealers", "city"],
      ["/api/dealers", "state"],
      ["/api/dealers", "updated"],
      ["/api/users", "name"],
      ["/api/users", "email"],
      ["/api/users", "role"],
      ["/api/keys", "name"],
    ] as const)
      test(`give ${list} by ${sort} in the same order in pages, and reversed`, async () => {
        const read = async (path: string) => (await fixture.api<Listed[]>("GET", path)).body.map(({ id }) => id);
        const up = await read(`${list}?sort=${sort}&order=asc&limit=1000`);
        expect(await read(`${list}?sort=${sort}&limit=1000`)).toEqual(up.toReversed());
        const paged: number[] = [];
        for (let offset = 0; offset < up.length; offset += 2)
          paged.push(...(await read(`${list}?sort=${sort}&order=asc&limit=2&offset=${offset}`)));
        expect(paged).toEqual(up);
      });
  });
