import { beforeAll, describe, expect, test } from "bun:test";
import { ANSWERING } from "../support/engines.ts";
import { create, NORTH, SOUTH, vehicleBody } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";

interface Page {
  readonly meta: {
    readonly total: number;
    readonly understood?: readonly {
      readonly word: string;
      readonly as: string | null;
      readonly total_without?: number;
    }[];
  };
}

for (const engine of ANSWERING)
  describe(`what the words of a search stand for on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    beforeAll(async () => {
      for (const [dealer, stock_number, exterior_color] of [
        [NORTH, "A1042", "Red"],
        [NORTH, "A1099", "Red"],
        [NORTH, "B2042", "Blue"],
        [SOUTH, "C7742", "Red"],
      ] as const)
        await create(
          fixture.api,
          "/api/vehicles",
          vehicleBody(dealer, {
            make: "Tatra",
            title: null,
            trim: null,
            stock_number,
            exterior_color,
            mileage: 77_042,
          }),
        );
    });
    const asked = async (caller: "super-admin" | "north", path: string) =>
      (await fixture.as<Page>(caller, { method: "GET", path })).body.meta;

    test("is told if it is asked for, of a list and of a dealer's inventory", async () => {
      const understood = [
        { word: "red", as: "exterior_color", value: "Red" },
        { word: "tatra", as: "make", value: "Tatra" },
        { word: "42", as: "stock_number_ending", value: "42" },
      ];
      for (const path of [`/api/vehicles?q=red+tatra+42`, `/api/dealers/${NORTH}/vehicles?q=red+tatra+42`]) {
        expect(await asked("north", path)).not.toHaveProperty("understood");
        expect(await asked("north", `${path}&include=understood`)).toMatchObject({ total: 1, understood });
      }
      expect(await asked("north", "/api/vehicles?include=understood")).toMatchObject({ understood: [] });
    });

    test("says of an empty result how many vehicles there are without each word, within the caller's reach", async () => {
      const path = "/api/vehicles?q=red+tatra+77&include=understood";
      expect(await asked("north", path)).toMatchObject({
        total: 0,
        understood: [
          { word: "red", as: "exterior_color", total_without: 0 },
          { word: "tatra", as: "make", total_without: 0 },
          // The South's car is none of the North's business, and mileage is no word.
          { word: "77", as: null, total_without: 2 },
        ],
      });
      expect(await asked("super-admin", path)).toMatchObject({ total: 0, understood: [{}, {}, { total_without: 3 }] });
      const many = await asked("north", "/api/vehicles?q=zulu+red+tatra+a1042+b2042+blue&include=understood");
      expect(many.understood?.map(({ total_without }) => total_without)).toEqual([null, null, 0, 0, 0, 0] as never);
    });
  });
