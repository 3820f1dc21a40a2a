import { afterAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { folderStorage } from "../../../adapters/photos/folder.ts";
import { inventDealers } from "../../../app/seed/dealers.ts";
import { picturesFor } from "../../../app/seed/picturing.ts";
import { inventVehicles } from "../../../app/seed/vehicles.ts";
import { scratchFolder } from "../../support/scratch-folder.ts";

const folder = scratchFolder("picturing");
afterAll(() => rmSync(folder, { recursive: true }));
const storage = folderStorage(folder);
const UNTIL = Date.parse("2026-02-01T00:00:00.000Z");
const [invented] = inventVehicles({
  ...{ seed: 1, count: 1, until: UNTIL },
  dealers: inventDealers({ seed: 1, count: 2, until: UNTIL }),
});
/** A vehicle of one of the two dealers, with so many images. */
const vehicle = (dealer: number, images = 0) => {
  if (invented === undefined) throw new Error("no vehicle was invented");
  return { ...invented, dealer, images };
};

test("without a storage vehicles have addresses as images, or none, and belong to their dealers", async () => {
  const added = async (images: boolean) => {
    const [vehicles, ...more] = await picturesFor({ seed: 1, images, dealerIds: [11, 12], storage: null })([
      vehicle(1, 2),
      vehicle(0, 1),
    ]);
    expect(more).toEqual([]);
    return vehicles.map(({ fields, images: found }) => [fields.dealer_id, found.length]);
  };
  expect(await added(true)).toEqual([
    [12, 2],
    [11, 1],
  ]);
  expect(await added(false)).toEqual([
    [12, 0],
    [11, 0],
  ]);
});

test("each dealer has an account from its first vehicle on, which is another one in another lot of invented data", async () => {
  const picture = picturesFor({ seed: 1, images: true, dealerIds: [11, 12], storage });
  const accountsOf = async (...batch: Parameters<typeof picture>[0]) => (await picture(batch))[1]?.accounts;
  const first = await accountsOf(vehicle(1), vehicle(1));
  expect([...(first ?? [])]).toEqual([[12, expect.stringMatching(/^[0-9a-f]{32}$/)]]);
  expect([...((await accountsOf(vehicle(1), vehicle(0))) ?? [])].map(([dealer]) => dealer)).toEqual([11]);
  const [, others] = await picturesFor({ seed: 1, images: true, dealerIds: [12], storage })([vehicle(0)]);
  expect(others?.accounts.get(12)).not.toBe(first?.get(12));
});
