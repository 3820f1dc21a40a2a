import { expect, test } from "bun:test";
import type { Principal } from "../../../core/access/principal.ts";
import { allBut, dealerKey, superAdminKey, userKey } from "../callers.ts";
import { openFixture } from "../use-case-fixture.ts";
import { succeeded } from "../use-cases.ts";

const fixture = openFixture();

const nameOfDealer = async (id: number): Promise<string> =>
  succeeded(await fixture.dealers.get(superAdminKey(), id)).name;

/** What a caller is told of a record that names the other dealer and its user, and the same of its own. */
const namesFor = async (caller: Principal) => {
  const { records: own, otherRecords } = fixture;
  const records = [otherRecords, own].map(({ dealerId, userId }) => ({ id: 1, dealer_id: dealerId, user_id: userId }));
  return (await fixture.names.addTo(caller, records)).map(({ dealer_name, user_name }) => [
    dealer_name !== null,
    user_name !== null,
  ]);
};

test("a name is shown only to callers who may read the record", async () => {
  const { dealerId, userId } = fixture.records;
  for (const [caller, told] of [
    [
      superAdminKey(),
      [
        [true, true],
        [true, true],
      ],
    ],
    [
      superAdminKey({ permissions: allBut("dealers:read") }),
      [
        [false, true],
        [false, true],
      ],
    ],
    [
      superAdminKey({ permissions: allBut("users:read") }),
      [
        [true, false],
        [true, false],
      ],
    ],
    [
      superAdminKey({ permissions: 0 }),
      [
        [false, false],
        [false, false],
      ],
    ],
    [
      dealerKey(dealerId),
      [
        [false, false],
        [true, true],
      ],
    ],
    [
      userKey("dealer_admin", dealerId),
      [
        [false, false],
        [true, true],
      ],
    ],
    [
      userKey("user", null, { userId }),
      [
        [true, false],
        [true, true],
      ],
    ],
  ] as const)
    expect<unknown>(await namesFor(caller)).toEqual(told);
});

test("a record gets a name next to each of its ids, and no other field", async () => {
  const { dealerId } = fixture.records;
  const [named] = await fixture.names.addTo(superAdminKey(), [
    { dealer_id: null, bound_dealer_id: dealerId, user_id: 9_007_199_254_740_991, text: "kept" },
  ]);
  expect<unknown>(named).toEqual({
    dealer_id: null,
    bound_dealer_id: dealerId,
    user_id: 9_007_199_254_740_991,
    text: "kept",
    dealer_name: null,
    bound_dealer_name: await nameOfDealer(dealerId),
    user_name: null,
  });
  expect<unknown>(await fixture.names.addTo(superAdminKey(), [{ text: "alone" } as object])).toEqual([
    { text: "alone" },
  ]);
});

test("long lists get names slice by slice", async () => {
  const { dealerId } = fixture.records;
  const { long } = await fixture.names.addToListing(superAdminKey(), {
    total: 1,
    items: [],
    long: { slices: [() => [{ dealer_id: dealerId }], () => []] },
  });
  expect<unknown>(await Promise.all((long?.slices ?? []).map((read) => read()))).toEqual([
    [{ dealer_id: dealerId, dealer_name: await nameOfDealer(dealerId) }],
    [],
  ]);
});
