import { makeImageRepository } from "../../adapters/sql/images/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { Failure } from "../../core/failure.ts";
import { imageAdded, imageChanged, imageRemoved, imagesOrdered, imagesSet } from "../../core/images/image-changes.ts";
import type { WantedImages } from "../../core/images/image-plan.ts";
import type { ChangedImages, ImageChange, ImageDraft } from "../../core/images/image-repository.ts";
import { DEFAULT_QUOTAS } from "../../core/quotas.ts";

type Decide = Parameters<ReturnType<typeof makeImageRepository>["change"]>[1];

/** The image that a change names. */
const namedIn = ({ named }: ChangedImages) => {
  if (named === null) throw new Error("the change names no image");
  return named;
};

/** The images of a database, with each change that the core decides on. */
export const storedImages = (db: SqlDatabase, most = DEFAULT_QUOTAS.imagesPerVehicle) => {
  const repository = makeImageRepository(db);
  const changed = async <Result>(change: ImageChange, decide: Decide, resultOf: (images: ChangedImages) => Result) => {
    const outcome = await repository.change(change, decide);
    return outcome === null || outcome instanceof Failure ? outcome : resultOf(outcome);
  };
  return {
    ...repository,
    add: ({ draft, ...change }: ImageChange & { readonly draft: ImageDraft }) =>
      changed(
        change,
        (present) => imageAdded(present, draft, most),
        (images) => ({ image: namedIn(images), isNew: images.isNew }),
      ),
    update: ({
      imageId,
      changes,
      ...change
    }: ImageChange & { readonly imageId: number; readonly changes: Partial<ImageDraft> }) =>
      changed(change, (present) => imageChanged(present, imageId, changes), namedIn),
    set: ({ wanted, ...change }: ImageChange & { readonly wanted: WantedImages }) =>
      changed(
        change,
        (present) => imagesSet(present, wanted, most),
        ({ isChanged }) => isChanged,
      ),
    reorder: ({ imageIds, ...change }: ImageChange & { readonly imageIds: readonly number[] }) =>
      changed(
        change,
        (present) => imagesOrdered(present, imageIds),
        ({ images }) => images,
      ),
    remove: ({ imageId, ...change }: ImageChange & { readonly imageId: number }) =>
      changed(
        change,
        (present) => imageRemoved(present, imageId),
        () => true,
      ),
  };
};
