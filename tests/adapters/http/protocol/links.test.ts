import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { listHeaders } from "../../../../adapters/http/protocol/links.ts";
import type { SentParameters } from "../../../../adapters/http/protocol/parameters.ts";
import { anyCharacter } from "../../../support/any-character.ts";

const LINK = /^<([^>]*)>; rel="(first|prev|next|last)"$/;

/** The pages of a Link header by relation, in the header's order. */
const pagesOf = (headers: Record<string, string>): Record<string, URL> =>
  Object.fromEntries(
    (headers.link ?? "").split(", ").map((link) => {
      const [, target = "", rel = ""] = LINK.exec(link) ?? [];
      return [rel, new URL(target, "https://inventory.example.com")];
    }),
  );

const offsetsOf = (headers: Record<string, string>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(pagesOf(headers)).map(([rel, url]) => [rel, Number(url.searchParams.get("offset"))]),
  );

const NO_QUERY: SentParameters = [];

describe("the links of a list", () => {
  for (const [limit, offset, total, offsets] of [
    [10, 0, 0, { first: 0, last: 0 }],
    [10, 0, 10, { first: 0, last: 0 }],
    [10, 0, 11, { first: 0, next: 10, last: 10 }],
    [10, 10, 35, { first: 0, prev: 0, next: 20, last: 30 }],
    [10, 30, 35, { first: 0, prev: 20, last: 30 }],
    [10, 5, 35, { first: 0, prev: 0, next: 15, last: 30 }],
    [10, 25, 35, { first: 0, prev: 15, last: 30 }],
    [10, 1000, 35, { first: 0, prev: 30, last: 30 }],
    [10, 1000, 0, { first: 0, prev: 0, last: 0 }],
    [1, 2, 5, { first: 0, prev: 1, next: 3, last: 4 }],
  ] as const)
    test(`of ${total} items, ${limit} a page, from ${offset} on lead to ${JSON.stringify(offsets)}`, () => {
      expect<unknown>(
        offsetsOf(listHeaders({ path: "/api/dealers", search: NO_QUERY, page: { limit, offset }, total })),
      ).toEqual(offsets);
    });

  const lists = fc.record({
    limit: fc.integer({ min: 1, max: 1000 }),
    offset: fc.nat({ max: 5000 }),
    total: fc.nat({ max: 5000 }),
  });

  test("come with the total", () => {
    fc.assert(
      fc.property(lists, ({ total, ...page }) => {
        expect(listHeaders({ path: "/api/dealers", search: NO_QUERY, page, total })["x-total-count"]).toBe(
          String(total),
        );
      }),
    );
  });

  test("followed from first to last by next show every item exactly once", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.nat({ max: 500 }), (limit, total) => {
        const seen: number[] = [];
        let offset: number | undefined = 0;
        let last: number | undefined;
        while (offset !== undefined) {
          for (let item = offset; item < Math.min(offset + limit, total); item++) seen.push(item);
          const offsets = offsetsOf(
            listHeaders({ path: "/api/dealers", search: NO_QUERY, page: { limit, offset }, total }),
          );
          last = offset;
          offset = offsets.next;
          if (offset === undefined) expect(offsets.last).toBe(last);
        }
        expect(seen).toEqual(Array.from({ length: total }, (_, item) => item));
      }),
    );
  });

  test("keep the path, the limit and every filter as sent, including repeated ones and unusual characters", () => {
    const name = fc.string({ unit: anyCharacter, minLength: 1 }).filter((text) => text.isWellFormed());
    const filters = fc.array(fc.tuple(name, name), { maxLength: 5 });
    fc.assert(
      fc.property(lists, filters, ({ total, ...page }, sent) => {
        const reserved = new Set(["limit", "offset", "cursor"]);
        const search = sent.filter(([key]) => !reserved.has(key));
        const headers = listHeaders({ path: "/api/dealers", search, page, total });
        expect(headers.link).toMatch(/^[\x20-\x7e]*$/);
        for (const url of Object.values(pagesOf(headers))) {
          expect(url.pathname).toBe("/api/dealers");
          expect(url.searchParams.get("limit")).toBe(String(page.limit));
          const kept = [...url.searchParams].filter(([key]) => !reserved.has(key));
          expect(kept).toEqual([...search]);
        }
      }),
    );
  });

  test("name each relation once", () => {
    fc.assert(
      fc.property(lists, ({ total, ...page }) => {
        const { link = "" } = listHeaders({ path: "/api/dealers", search: NO_QUERY, page, total });
        const relations = link.split(", ").map((text) => LINK.exec(text)?.[2]);
        expect(relations).not.toContain(undefined);
        expect(new Set(relations).size).toBe(relations.length);
      }),
    );
  });
});

describe("a list with a cursor", () => {
  const search: SentParameters = Object.entries({ make: "Toyota", limit: "2", offset: "4", cursor: "of-this-page" });
  const page = { limit: 2, offset: 4 };

  test("has the cursor of the next page only in next, and the cursor of this page nowhere", () => {
    const cursors = Object.entries(
      pagesOf(listHeaders({ path: "/api/vehicles", search, page, total: 10, more: true, cursor: "of-the-next" })),
    ).map(([rel, url]) => [rel, url.searchParams.getAll("cursor")]);
    expect(cursors).toEqual([
      ["first", []],
      ["prev", []],
      ["next", ["of-the-next"]],
      ["last", []],
    ]);
  });

  test("has its paging parameters once in each link, without those of the requested page", () => {
    for (const url of Object.values(
      pagesOf(listHeaders({ path: "/api/vehicles", search, page, total: 10, more: true, cursor: "c" })),
    ))
      expect([...url.searchParams.keys()].sort().join()).toMatch(/^(cursor,)?limit,make,offset$/);
  });

  test("has a next page exactly if more items follow, whatever the total was", () => {
    expect(
      "next" in pagesOf(listHeaders({ path: "/api/vehicles", search, page, total: 5, more: true, cursor: "c" })),
    ).toBe(true);
    expect(
      "next" in pagesOf(listHeaders({ path: "/api/vehicles", search, page, total: 100, more: false, cursor: null })),
    ).toBe(false);
  });

  test("is not changed when its links are made", () => {
    const before = structuredClone(search);
    listHeaders({ path: "/api/vehicles", search, page, total: 10, more: true, cursor: "c" });
    expect(search).toEqual(before);
  });
});
