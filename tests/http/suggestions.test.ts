import { beforeAll, describe, expect, test } from "bun:test";
import type { Suggestion } from "../../core/suggestions/suggestion.ts";
import { type Case, expectReply, testCases } from "../support/cases.ts";
import { ANSWERING } from "../support/engines.ts";
import { type CreatedKey, create, dealerBody, keyBody, vehicleBody } from "../support/sample-records.ts";
import { pairs } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const PATH = "/api/vehicles/suggestions";
/** More models of one make than can be requested. */
const MODELS = 25;

const bad = (name: string, query: string, ...faults: readonly string[]): Case => ({
  name: `are refused with a 400 for ${name}`,
  send: `GET ${PATH}?${query}`,
  status: 400,
  code: "invalid_input",
  faults,
});

const REFUSED: readonly Case[] = [
  bad("a query without letters or digits", "q=--", "q"),
  bad("an empty query", "q=", "q"),
  bad("a query of 201 characters", `q=${"a".repeat(201)}`, "q"),
  bad("a query of nine words", "q=a+b+c+d+e+f+g+h+i", "q"),
  bad("a query with a character that cannot be stored", "q=a%00b", "q"),
  bad("a repeated query", "q=a&q=b", "q"),
  bad("a limit of 0", "q=a&limit=0", "limit"),
  bad("a limit of 21", "q=a&limit=21", "limit"),
  bad("a fractional limit", "q=a&limit=1.5", "limit"),
  bad("a limit in words", "q=a&limit=ten", "limit"),
  bad("a repeated limit", "q=a&limit=1&limit=2", "limit"),
  bad("two wrong parameters at once", "q=--&limit=0", "q", "limit"),
  { name: "need a key", send: `GET ${PATH}?q=a`, by: null, status: 401, code: "api_key_missing" },
  {
    name: "need a key that may read vehicles",
    send: `GET ${PATH}?q=a`,
    by: "powerless",
    status: 403,
    code: "permission_missing",
  },
  {
    name: "accept only GET",
    send: `POST ${PATH}`,
    body: {},
    status: 405,
    gives: { allow: /GET/ },
  },
];

for (const engine of ANSWERING)
  describe(`suggestions over HTTP on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    const keys: Record<"mine" | "theirs", string> = { mine: "", theirs: "" };

    beforeAll(async () => {
      const dealers = {
        mine: [
          { make: "Zastava", model: "Koral", stock_number: "ZK-1", vin: "VX1ZASTAVA0424242" },
          { make: "ZASTAVA", model: "Koral", status: "sold" },
          { make: "Zastava", model: "Skala 55", stock_number: "zk2" },
          ...Array.from({ length: MODELS }, (_, number) => ({ make: "Moskvich", model: `M${number + 10}` })),
        ],
        theirs: [
          { make: "Zastava", model: "Yugo Florida", stock_number: "ZK-9", vin: "VX1ZASTAVA0999999" },
          { make: "Zhiguli", model: "Nova", trim: "Koral" },
          { make: "Zhiguli", model: "Nova" },
        ],
      };
      for (const whose of ["mine", "theirs"] as const) {
        const { id } = await create(fixture.api, "/api/dealers", dealerBody());
        const body = keyBody({ association: "dealer", dealer_id: id, permissions: pairs("vehicles:read") });
        keys[whose] = (await create<CreatedKey>(fixture.api, "/api/keys", body)).api_key;
        for (const fields of dealers[whose]) await create(fixture.api, "/api/vehicles", vehicleBody(id, fields));
        // A removed vehicle does not count.
        const gone = await create(fixture.api, "/api/vehicles", vehicleBody(id, { make: "Zaporozhets" }));
        await fixture.api("DELETE", `/api/vehicles/${gone.id}`);
      }
    });

    const suggested = async (query: string, key?: string): Promise<readonly Suggestion[]> => {
      const reply = await fixture.api<Suggestion[]>("GET", `${PATH}?${query}`, key === undefined ? {} : { key });
      expect([query, reply.status]).toEqual([query, 200]);
      return reply.body;
    };
    const textsOf = (suggestions: readonly Suggestion[]): string[] => suggestions.map(({ text }) => text);

    testCases(fixture, REFUSED);

    const FOUND: readonly (readonly [query: string, suggestions: readonly Suggestion[]])[] = [
      [
        "q=za",
        [
          { text: "Zastava", kind: "make", count: 3 },
          { text: "ZASTAVA Koral", kind: "model", count: 2 },
          { text: "Zastava Skala 55", kind: "model", count: 1 },
        ],
      ],
      ["q=zastava+kor", [{ text: "ZASTAVA Koral", kind: "model", count: 2 }]],
      ["q=Z%C3%81STAVA+55", [{ text: "Zastava Skala 55", kind: "model", count: 1 }]],
      [
        "q=zk",
        [
          { text: "ZK-1", kind: "stock_number", count: 1 },
          { text: "zk2", kind: "stock_number", count: 1 },
        ],
      ],
      ["q=zk1", [{ text: "ZK-1", kind: "stock_number", count: 1 }]],
      ["q=424242", [{ text: "VX1ZASTAVA0424242", kind: "vin", count: 1 }]],
      ["q=koral+424242", [{ text: "VX1ZASTAVA0424242", kind: "vin", count: 1 }]],
      // Neither another dealer's vehicles count nor removed ones.
      ["q=yugo", []],
      ["q=zhi", []],
      ["q=999999", []],
      ["q=zapo", []],
      ["q=stava", []],
      ["q=z%25va", []],
      ["q=za_tava", []],
      ["", []],
      ["limit=5", []],
    ];
    for (const [query, expected] of FOUND)
      test(`for "${query}" show a dealer's key exactly what its dealer's vehicles have`, async () => {
        const byKindAndText = ({ kind, text }: Suggestion) => `${kind} ${text}`;
        const found = await suggested(query, keys.mine);
        expect(found.toSorted((one, other) => other.count - one.count)).toEqual([...found]);
        expect(new Map(found.map((one) => [byKindAndText(one), one]))).toEqual(
          new Map(expected.map((one) => [byKindAndText(one), one])),
        );
      });

    test("for a key of no dealer cover all dealers, most frequent first", async () => {
      expect(await suggested("q=z&limit=3")).toEqual([
        { text: "Zastava", kind: "make", count: 4 },
        { text: "Zhiguli", kind: "make", count: 2 },
        { text: "ZASTAVA Koral", kind: "model", count: 2 },
      ]);
      expect(textsOf(await suggested("q=yugo"))).toEqual(["Zastava Yugo Florida"]);
    });

    test("are ten at most by default, or as many as the query says", async () => {
      const lengths = async (...queries: string[]) =>
        Promise.all(queries.map(async (query) => (await suggested(query, keys.mine)).length));
      expect(await lengths("q=mosk", "q=mosk&limit=1", "q=mosk&limit=20", "q=zk&limit=20")).toEqual([10, 1, 20, 2]);
      expect((await suggested("q=mosk&limit=1", keys.mine))[0]).toEqual({
        text: "Moskvich",
        kind: "make",
        count: MODELS,
      });
    });

    test("refuse parameters that they do not know, such as a filter, dealer or page", async () => {
      for (const name of ["dealer_id", "make", "offset", "cursor", "status"])
        expectReply(await fixture.api("GET", `${PATH}?q=za&${name}=1`, { key: keys.theirs }), {
          status: 400,
          faults: [name],
        });
    });
  });
