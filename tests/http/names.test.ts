import { beforeAll, describe, expect, test } from "bun:test";
import { ENGINES } from "../support/engines.ts";
import { create, dealerBody, vehicleBody } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const LOT = [
  ["Mercedes-Benz", "GLC 300"],
  ["Mercedes Benz", "E350"],
  ["MERCEDES-BENZ", "E350"],
  ["VW", "Golf"],
  ["Volkswagen", "Golf"],
  ["Lexus", "RX 350"],
  ["Lexus", "RX350"],
  ["Toyota", "RAV4"],
  ["Toyota", "RAV 4"],
  ["Hyundai", "IONIQ 5"],
  ["Nissan", "370Z"],
  ["Chevy", "Silverado 1500"],
  ["Land Rover", "Defender"],
  ["Landrover", "Discovery"],
  ["Citro&euml;n", "C3"],
  ["Ford", "F-150"],
  ["Mercury", "Sable"],
] as const;

const BENZ = ["E350", "E350", "GLC 300"];
// [what is searched, the models that are found].
const FOUND: readonly (readonly [q: string, models: readonly string[]])[] = [
  ["rx350", ["RX 350", "RX350"]],
  ["rx 350", ["RX 350", "RX350"]],
  ["lexus rx 35", ["RX 350", "RX350"]],
  ["rav 4", ["RAV 4", "RAV4"]],
  ["rav4", ["RAV 4", "RAV4"]],
  ["ioniq5", ["IONIQ 5"]],
  ["370 z", ["370Z"]],
  ["silverado1500", ["Silverado 1500"]],
  ["landrover", ["Defender", "Discovery"]],
  ["land rover", ["Defender", "Discovery"]],
  ["mercedesbenz", BENZ],
  ["mercedes-benz", BENZ],
  ["benz e350", ["E350", "E350"]],
  ["mercedes", BENZ],
  ["vw golf", ["Golf", "Golf"]],
  ["volkswagen", ["Golf", "Golf"]],
  ["chevrolet silverado", ["Silverado 1500"]],
  ["citroen c3", ["C3"]],
  ["rx 4", []],
];

for (const engine of ENGINES)
  describe(`names of vehicles on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    let dealer: number;
    beforeAll(async () => {
      ({ id: dealer } = await create(fixture.api, "/api/dealers", dealerBody()));
      for (const [make, model] of LOT)
        await create(fixture.api, "/api/vehicles", vehicleBody(dealer, { make, model, condition: null }));
    });

    const models = async (query: string): Promise<string[]> => {
      const { body } = await fixture.api<{ vehicles: { model: string }[] }>("GET", `/api/vehicles?${query}`);
      return body.vehicles.map(({ model }) => model).sort();
    };

    test("are found where people put or leave out a blank between letters and digits, and by other names of a make", async () => {
      for (const [q, found] of FOUND) {
        const asked = new URLSearchParams({ q, limit: "50" });
        // The words of all dealers are in an index, those of one are read.
        expect([q, await models(`${asked}`)]).toEqual([q, [...found]]);
        expect([q, await models(`${asked}&dealer_id=${dealer}`)]).toEqual([q, [...found]]);
      }
    });

    test("that differ only in signs, blanks and case are one value of facet, filter and suggestion", async () => {
      const facets = await fixture.api<{ facets: { make: { value: string; count: number }[] } }>(
        "GET",
        `/api/vehicles/facets?facets=make&dealer_id=${dealer}`,
      );
      const counts = new Map(facets.body.facets.make.map(({ value, count }) => [value, count]));
      expect([...counts].filter(([value]) => /merc.*benz/i.test(value)).map(([, count]) => count)).toEqual([3]);
      expect([counts.get("VW"), counts.get("Volkswagen")]).toEqual([1, 1]);
      for (const make of ["Mercedes Benz", "mercedesbenz", "MERCEDES-BENZ"])
        expect(await models(new URLSearchParams({ make, dealer_id: `${dealer}` }).toString())).toEqual(BENZ);
      expect(await models(`model=f150&dealer_id=${dealer}`)).toEqual(["F-150"]);
      const suggestions = async (q: string) => {
        const { body } = await fixture.api<{ text: string; kind: string; count: number }[]>(
          "GET",
          `/api/vehicles/suggestions?${new URLSearchParams({ q })}`,
        );
        return body.flatMap(({ kind, count }) => (kind === "make" ? [count] : []));
      };
      expect(await suggestions("benz")).toEqual([3]);
      expect(await suggestions("mercedesb")).toEqual([3]);
    });
  });
