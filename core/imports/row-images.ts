import type { Principal } from "../access/principal.ts";
import type { Clock } from "../clock.ts";
import type { ImportOptions } from "./import.ts";
import type { ExistingImage, RowStep } from "./import-repository.ts";

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((address, index) => address === other[index]);

/** The addresses that a vehicle's images should have, in their order; `null` if the images do not change. */
export const wantedImages = (
  sent: readonly string[] | null,
  present: readonly ExistingImage[],
  way: ImportOptions["images"],
): readonly string[] | null => {
  if (sent === null || sent.length === 0 || (way === "keep" && present.length > 0)) return null;
  const has = [...new Set(present.map(({ address }) => address))];
  const wanted = way === "append" ? [...new Set([...has, ...sent])] : sent;
  return isSame(has, wanted) ? null : wanted;
};

/**
 * Adds, removes and reorders the images of a vehicle until they have these addresses. The first becomes the main image.
 */
export const setImages = async (
  { images }: Pick<RowStep, "images">,
  { vehicleId, present, wanted }: { vehicleId: number; present: readonly ExistingImage[]; wanted: readonly string[] },
  { by, dealerId, clock }: { by: Principal; dealerId: number; clock: Pick<Clock, "now"> },
): Promise<void> => {
  const change = { vehicleId, scope: dealerId, now: clock.now(), by };
  const idsByAddress = new Map<string, number>();
  for (const { id, address } of present)
    if (wanted.includes(address) && !idsByAddress.has(address)) idsByAddress.set(address, id);
    else await images.remove({ ...change, imageId: id });
  for (const address of wanted) {
    if (idsByAddress.has(address)) continue;
    const added = await images.add({ ...change, draft: { image_url: address } });
    if (added === null || typeof added === "symbol") throw new Error(`vehicle ${vehicleId} takes no image ${address}`);
    idsByAddress.set(address, added.id);
  }
  const ids = wanted.flatMap((address) => idsByAddress.get(address) ?? []);
  if (present.length === 0) return;
  await images.reorder({ ...change, imageIds: ids });
  const [first] = ids;
  if (first !== undefined && wanted[0] !== present[0]?.address)
    await images.update({ ...change, imageId: first, changes: { is_primary: true } });
};
