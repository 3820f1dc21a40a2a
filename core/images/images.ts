import { scopeOf } from "../access/decide.ts";
import { type Attempt, type VehicleOwners, whyVehicleMissed } from "../access/missed-vehicle.ts";
import { useCase } from "../access/use-case.ts";
import type { Clock } from "../clock.ts";
import { Failure, invalid, notFound, type Outcome } from "../failure.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import { type Listing, presented, slicedPageOf } from "../page.ts";
import { DEFAULT_QUOTAS } from "../quotas.ts";
import { findOrExplain } from "../retry.ts";
import { requireChange } from "../validation.ts";
import {
  deliveryIssues,
  type Image,
  type ImageDelivery,
  type ImageQuery,
  imageChanges,
  imageOrder,
  newImage,
  presentImage,
} from "./image.ts";
import { IMAGES_FULL, type ImageRepository, NO_SUCH_IMAGE, NOT_THE_IMAGES } from "./image-repository.ts";

interface Ports {
  readonly images: ImageRepository;
  readonly vehicles: VehicleOwners;
  readonly clock: Clock;
  readonly delivery: ImageDelivery | null;
  /** The maximum number of images of a vehicle. The repository enforces it. */
  readonly maxImages?: number;
}

/**
 * The use cases of images (interface 6.2). Callers who can access a vehicle can access its images, and nobody else can.
 */
export const makeImages = ({
  images,
  vehicles,
  clock,
  delivery,
  maxImages = DEFAULT_QUOTAS.imagesPerVehicle,
}: Ports) => {
  const present = (image: Parameters<typeof presentImage>[1]): Image => presentImage(delivery, image);

  /** Finds the vehicle within the caller's scope, or explains why it cannot be found. */
  const reach = <Value>(attempt: Attempt, run: () => Promise<Value | null>): MaybePromise<Outcome<Value>> =>
    findOrExplain(run, () => whyVehicleMissed(vehicles, attempt));

  return {
    list: useCase(
      "image.list",
      async (principal, vehicleId: number, query: ImageQuery): Promise<Outcome<Listing<Image>>> => {
        const listing = await reach({ principal, operation: "image.list", id: vehicleId }, () =>
          images.list(vehicleId, scopeOf(principal), slicedPageOf(query)),
        );
        return listing instanceof Failure ? listing : presented(listing, present);
      },
    ),

    /** Adds an image. If the vehicle has one with this address already, that one is answered. */
    add: useCase(
      "image.add",
      async (
        principal,
        vehicleId: number,
        input: unknown,
      ): Promise<Outcome<{ readonly image: Image; readonly isNew: boolean }>> => {
        const body = newImage.parse(input, (fields) => deliveryIssues(delivery, fields.image_url));
        if (body instanceof Failure) return body;
        const { is_primary, display_order, ...rest } = body;
        const draft = {
          ...rest,
          ...(typeof is_primary === "boolean" && { is_primary }),
          ...(typeof display_order === "number" && { display_order }),
        };
        const added = await reach({ principal, operation: "image.add", id: vehicleId }, () =>
          images.add({ vehicleId, scope: scopeOf(principal), draft, now: clock.now(), by: principal }),
        );
        if (added === IMAGES_FULL)
          return invalid({
            path: "",
            message: `the vehicle has the ${maxImages} images that one may have: remove one first`,
          });
        return added instanceof Failure ? added : { image: present(added.image), isNew: added.isNew };
      },
    ),

    update: useCase(
      "image.update",
      async (
        principal,
        {
          vehicleId,
          imageId,
          input,
        }: { readonly vehicleId: number; readonly imageId: number; readonly input: unknown },
      ): Promise<Outcome<Image>> => {
        const body = requireChange(imageChanges.parse(input, (fields) => deliveryIssues(delivery, fields.image_url)));
        if (body instanceof Failure) return body;
        const updated = await reach({ principal, operation: "image.update", id: vehicleId }, () =>
          images.update({
            vehicleId,
            imageId,
            scope: scopeOf(principal),
            changes: body,
            now: clock.now(),
            by: principal,
          }),
        );
        if (updated === NO_SUCH_IMAGE) return notFound("image", imageId);
        return updated instanceof Failure ? updated : present(updated);
      },
    ),

    /** Reorders the vehicle's images. The input must list all of them. */
    reorder: useCase(
      "image.reorder",
      async (principal, vehicleId: number, input: unknown): Promise<Outcome<Image[]>> => {
        const body = imageOrder.parse(input);
        if (body instanceof Failure) return body;
        const ordered = await reach({ principal, operation: "image.reorder", id: vehicleId }, () =>
          images.reorder({
            vehicleId,
            scope: scopeOf(principal),
            imageIds: body.image_ids,
            now: clock.now(),
            by: principal,
          }),
        );
        if (ordered === NOT_THE_IMAGES)
          return invalid({ path: "image_ids", message: "must be the list of all the vehicle's image ids, each once" });
        return ordered instanceof Failure ? ordered : ordered.map(present);
      },
    ),

    remove: useCase("image.remove", async (principal, vehicleId: number, imageId: number): Promise<Outcome<true>> => {
      const removed = await reach({ principal, operation: "image.remove", id: vehicleId }, () =>
        images.remove({ vehicleId, imageId, scope: scopeOf(principal), now: clock.now(), by: principal }),
      );
      return removed === NO_SUCH_IMAGE ? notFound("image", imageId) : removed;
    }),
  };
};

export type Images = ReturnType<typeof makeImages>;
