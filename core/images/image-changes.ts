import { invalid, notFound, type Outcome } from "../failure.ts";
import { MAX_DISPLAY_ORDER, type StoredImage } from "./image.ts";
import { tooManyImages } from "./image-list.ts";
import { imagePlan, type WantedImages } from "./image-plan.ts";
import type { ImageDecision, ImageDraft, ImageStep } from "./image-repository.ts";
import { isPrimaryWhenAdded, nextPrimary } from "./primary-image.ts";

/** The images of a vehicle as they are now, in their order. */
type Present = readonly StoredImage[];

/** The id of a new image within a decision, before it is stored. Further ones count down. */
const FIRST_NEW = -1;

/** The place of a new image: behind the last one, unless it was sent. */
const placeWhenAdded = (present: Present, sent: number | undefined): number =>
  sent ?? Math.min((present.at(-1)?.display_order ?? -1) + 1, MAX_DISPLAY_ORDER);

/** Makes another image primary in the place of one that was. */
const markNext = (present: Present, former: StoredImage): readonly ImageStep[] => {
  const next = nextPrimary(present, former);
  return next === null ? [] : [{ does: "mark", id: next.id }];
};

/** Changes one image. If it is not to be primary any more, another becomes so. */
const withChanges = (present: Present, image: StoredImage, changes: Partial<ImageDraft>): readonly ImageStep[] => [
  { does: "change", id: image.id, changes },
  ...(changes.is_primary === false ? markNext(present, image) : []),
];

/**
 * Adds an image, if the vehicle may have one more. One with this address gets the other fields of the draft instead.
 */
export const imageAdded = (present: Present, draft: ImageDraft, most: number): Outcome<ImageDecision> => {
  const same = present.find(({ image_url }) => image_url === draft.image_url);
  if (same !== undefined) {
    const { is_primary = same.is_primary, display_order = same.display_order, alt = same.alt } = draft;
    const isChanged = is_primary !== same.is_primary || display_order !== same.display_order || alt !== same.alt;
    return { named: same.id, steps: isChanged ? withChanges(present, same, draft) : [] };
  }
  if (present.length >= most)
    return invalid({
      path: "",
      message: `the vehicle has the ${most} images that one may have: remove one first`,
    });
  const image = {
    ...draft,
    is_primary: isPrimaryWhenAdded(present, draft.is_primary),
    display_order: placeWhenAdded(present, draft.display_order),
  };
  return { named: FIRST_NEW, steps: [{ does: "add", id: FIRST_NEW, image }] };
};

/** Changes the fields of one image that were sent. If it was primary and is not to be any more, another becomes so. */
export const imageChanged = (
  present: Present,
  imageId: number,
  changes: Partial<ImageDraft>,
): Outcome<ImageDecision> => {
  const image = present.find(({ id }) => id === imageId);
  return image === undefined
    ? notFound("image", imageId)
    : { named: imageId, steps: withChanges(present, image, changes) };
};

/** Removes one image. If it was primary, another becomes so. */
export const imageRemoved = (present: Present, imageId: number): Outcome<ImageDecision> => {
  const removed = present.find(({ id }) => id === imageId);
  if (removed === undefined) return notFound("image", imageId);
  return { steps: [{ does: "remove", id: imageId }, ...markNext(present, removed)] };
};

/** Numbers the images in the order of these ids, which must be those of all the vehicle's images. */
export const imagesOrdered = (present: Present, imageIds: readonly number[]): Outcome<ImageDecision> => {
  const ids = new Set(imageIds);
  const isComplete = present.length === imageIds.length && present.every(({ id }) => ids.has(id));
  if (!isComplete)
    return invalid({ path: "image_ids", message: "must be the list of all the vehicle's image ids, each once" });
  return { steps: [{ does: "order", images: imageIds.map((id, display_order) => ({ id, display_order })) }] };
};

/**
 * Gives the vehicle the wanted images, as `imagePlan` says. A vehicle that has more than it may, as the limit was
 * lowered, does not get any more of them.
 */
export const imagesSet = (present: Present, wanted: WantedImages, most: number): Outcome<ImageDecision> => {
  const plan = imagePlan(present, wanted);
  if (plan.images.length > most && plan.images.length > present.length) return invalid(tooManyImages(most));
  let next = FIRST_NEW;
  const planned = plan.images.map((image) => ({ ...image, isNew: image.id === null, id: image.id ?? next-- }));
  const placeOf = new Map(present.map(({ id, display_order }) => [id, display_order]));
  const isMoved = planned.some(({ id, isNew, display_order }) => !isNew && placeOf.get(id) !== display_order);
  const primary = planned.find(({ is_primary }) => is_primary);
  const isMarked = present.some(({ id, is_primary }) => is_primary && id === primary?.id);
  const steps: ImageStep[] = [
    ...plan.removed.map((id) => ({ does: "remove", id }) as const),
    ...planned
      .filter(({ isNew }) => isNew)
      .map(({ id, image_url, display_order, alt }) => {
        const image = { image_url, is_primary: false, display_order, ...(alt !== undefined && { alt }) };
        return { does: "add", id, image } as const;
      }),
  ];
  if (isMoved) steps.push({ does: "order", images: planned.map(({ id, display_order }) => ({ id, display_order })) });
  // Primary images are marked last, as a vehicle never has two.
  if (primary !== undefined && !isMarked) steps.push({ does: "change", id: primary.id, changes: { is_primary: true } });
  return { steps };
};
