import type { StoredImage } from "./image.ts";

/** An image that a vehicle has. */
export type PresentImage = Pick<StoredImage, "id" | "image_url" | "is_primary" | "display_order">;

/** An image that a vehicle is to have. */
export interface WantedImage {
  readonly image_url: string;
  readonly is_primary?: boolean;
  /** Of an image that is to be added. One that stays keeps its own. */
  readonly alt?: string | null;
}

/** The images that a vehicle is to have, in their order. */
export interface WantedImages {
  readonly images: readonly WantedImage[];
  /**
   * Which image becomes the primary one if none of the list says that it is: the first of the list, or the present one
   * if it stays.
   */
  readonly primary: "first" | "kept";
}

/** An image as it will be. Its id is `null` if it is to be added. */
type PlannedImage = Omit<PresentImage, "id"> & { readonly id: number | null } & Pick<WantedImage, "alt">;

/** What becomes of a vehicle's images. */
export interface ImagePlan {
  /** The ids of the images to remove. */
  readonly removed: readonly number[];
  /** The images that the vehicle will have, in their order. */
  readonly images: readonly PlannedImage[];
}

/**
 * Each address of the list with the present image that it stands for, or `null`. Of an address that occurs more often
 * than the vehicle has it, the first place counts.
 */
const pairsOf = (present: readonly PresentImage[], wanted: readonly WantedImage[]) => {
  const free = Map.groupBy(present, ({ image_url }) => image_url);
  const named = new Set<string>();
  return wanted.flatMap((one) => {
    const kept = free.get(one.image_url)?.shift() ?? null;
    const isRepeated = kept === null && named.has(one.image_url);
    named.add(one.image_url);
    return isRepeated ? [] : [{ wanted: one, kept }];
  });
};

/** The primary image first, as feeds, exports and vehicles with their images have them, then the others in their order. */
export const primaryFirst = <Image>(
  images: readonly Image[],
  isPrimary: (image: Image) => boolean,
): readonly Image[] => [...images.filter(isPrimary), ...images.filter((image) => !isPrimary(image))];

/**
 * Turns a vehicle's images, which are given in their order, into the wanted ones. Images whose address stays keep their
 * id. If the list is the present one, as it is or with the primary image first, each image keeps its place; otherwise
 * they are numbered from 0.
 */
export const imagePlan = (present: readonly PresentImage[], { images, primary }: WantedImages): ImagePlan => {
  const pairs = pairsOf(present, images);
  const kept = new Set(pairs.map((pair) => pair.kept?.id));
  const isList = (list: readonly PresentImage[]): boolean =>
    pairs.length === list.length && pairs.every((pair, place) => pair.kept === list[place]);
  const isSameList = isList(present) || isList(primaryFirst(present, ({ is_primary }) => is_primary));
  const marked = pairs.find(({ wanted }) => wanted.is_primary === true);
  const stays = primary === "kept" ? pairs.find((pair) => pair.kept?.is_primary === true) : undefined;
  const first = marked ?? stays ?? pairs[0];
  return {
    removed: present.filter(({ id }) => !kept.has(id)).map(({ id }) => id),
    images: pairs.map((pair, place) => ({
      id: pair.kept?.id ?? null,
      image_url: pair.wanted.image_url,
      ...(pair.wanted.alt !== undefined && { alt: pair.wanted.alt }),
      is_primary: pair === first,
      display_order: isSameList ? (pair.kept?.display_order ?? place) : place,
    })),
  };
};
