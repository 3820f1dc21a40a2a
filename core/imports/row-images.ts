import type { Principal } from "../access/principal.ts";
import type { Clock } from "../clock.ts";
import { Failure } from "../failure.ts";
import { imagesSet } from "../images/image-changes.ts";
import { primaryFirst, type WantedImages } from "../images/image-plan.ts";
import type { ImportOptions } from "./import.ts";
import type { ExistingImage, RowStep } from "./import-repository.ts";
import type { RowValues } from "./values/values.ts";

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((address, index) => address === other[index]);

/** What becomes of a vehicle's images. With `exactly`, they are the sent ones, and none if none were sent. */
export type ImageWay = ImportOptions["images"] | "exactly";

/** The addresses that a vehicle's images should have, in their order; `null` if the images do not change. */
export const wantedImages = (
  { images: sent, primary }: Pick<RowValues, "images" | "primary">,
  present: readonly ExistingImage[],
  way: ImageWay,
): readonly string[] | null => {
  const isEmpty = sent === null || (sent.length === 0 && way !== "exactly");
  if (isEmpty || (way === "keep" && present.length > 0)) return null;
  const addressesOf = (images: readonly ExistingImage[]) => [...new Set(images.map(({ address }) => address))];
  const has = addressesOf(present);
  const shown = addressesOf(primaryFirst(present, ({ isPrimary }) => isPrimary));
  const wanted = way === "append" ? [...new Set([...has, ...sent])] : sent;
  const marked = present.find(({ isPrimary }) => isPrimary)?.address;
  const isMarked = way !== "exactly" || marked === (primary ?? sent[0]);
  return isMarked && (isSame(has, wanted) || isSame(shown, wanted)) ? null : wanted;
};

/** Gives a vehicle images with these addresses. If another address comes first, its image becomes the main one. */
export const setImages = async (
  { images }: Pick<RowStep, "images">,
  {
    vehicleId,
    present,
    wanted,
    primary,
    isTouched,
    most,
  }: {
    vehicleId: number;
    present: readonly ExistingImage[];
    wanted: readonly string[];
    primary: string | undefined;
    isTouched: boolean;
    most: number;
  },
  { by, dealerId, clock }: { by: Principal; dealerId: number; clock: Pick<Clock, "now"> },
): Promise<void> => {
  const list: WantedImages = {
    images: wanted.map((image_url) => ({ image_url, is_primary: image_url === primary })),
    primary: wanted[0] === present[0]?.address ? "kept" : "first",
  };
  const set = await images.change({ vehicleId, scope: dealerId, isTouched, now: clock.now(), by }, (now) =>
    imagesSet(now, list, most),
  );
  if (set === null || set instanceof Failure) throw new Error(`vehicle ${vehicleId} does not take its images`);
};
