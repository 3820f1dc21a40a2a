import { scopeOf } from "../access/decide.ts";
import { type Attempt, type VehicleOwners, whyVehicleMissed } from "../access/missed-vehicle.ts";
import { useCase } from "../access/use-case.ts";
import type { Clock } from "../clock.ts";
import { findOrExplain } from "../crossing-changes.ts";
import { Failure, type Outcome } from "../failure.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import { type Listing, presented, slicedPageOf } from "../page.ts";
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
  type StoredImage,
  storedAddress,
} from "./image.ts";
import { imageAdded, imageChanged, imageRemoved, imagesOrdered } from "./image-changes.ts";
import type { ChangedImages, ImageDecision, ImageRepository } from "./image-repository.ts";

interface Ports {
  readonly images: ImageRepository;
  readonly vehicles: VehicleOwners;
  readonly clock: Clock;
  readonly delivery: ImageDelivery | null;
  /** The maximum number of images of a vehicle. */
  readonly maxImages: number;
}

/**
 * The use cases of images (interface 6.2). Callers who can access a vehicle can access its images, and nobody else can.
 */
export const makeImages = ({ images, vehicles, clock, delivery, maxImages }: Ports) => {
  const present = (image: Parameters<typeof presentImage>[1]): Image => presentImage(delivery, image);

  /** Finds the vehicle within the caller's scope, or explains why it cannot be found. */
  const reach = <Value>(attempt: Attempt, run: () => Promise<Outcome<Value> | null>): MaybePromise<Outcome<Value>> =>
    findOrExplain(run, () => whyVehicleMissed(vehicles, attempt));

  /** Changes the images of a vehicle as `decide` says. */
  const change = (
    attempt: Attempt,
    decide: (present: readonly StoredImage[]) => Outcome<ImageDecision>,
  ): MaybePromise<Outcome<ChangedImages>> => {
    const { principal, id: vehicleId } = attempt;
    return reach(attempt, () =>
      images.change({ vehicleId, scope: scopeOf(principal), now: clock.now(), by: principal }, decide),
    );
  };

  /** The image that a change names. */
  const namedIn = ({ named }: ChangedImages): Image => {
    if (named === null) throw new Error("a change of an image names none");
    return present(named);
  };

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
        const { is_primary, display_order, image_url, ...rest } = body;
        const draft = {
          ...rest,
          image_url: storedAddress(delivery, image_url),
          ...(typeof is_primary === "boolean" && { is_primary }),
          ...(typeof display_order === "number" && { display_order }),
        };
        const added = await change({ principal, operation: "image.add", id: vehicleId }, (now) =>
          imageAdded(now, draft, maxImages),
        );
        return added instanceof Failure ? added : { image: namedIn(added), isNew: added.isNew };
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
        const stored =
          body.image_url === undefined ? body : { ...body, image_url: storedAddress(delivery, body.image_url) };
        const updated = await change({ principal, operation: "image.update", id: vehicleId }, (now) =>
          imageChanged(now, imageId, stored),
        );
        return updated instanceof Failure ? updated : namedIn(updated);
      },
    ),

    /** Reorders the vehicle's images. The input must list all of them. */
    reorder: useCase(
      "image.reorder",
      async (principal, vehicleId: number, input: unknown): Promise<Outcome<Image[]>> => {
        const body = imageOrder.parse(input);
        if (body instanceof Failure) return body;
        const ordered = await change({ principal, operation: "image.reorder", id: vehicleId }, (now) =>
          imagesOrdered(now, body.image_ids),
        );
        return ordered instanceof Failure ? ordered : ordered.images.map(present);
      },
    ),

    remove: useCase("image.remove", async (principal, vehicleId: number, imageId: number): Promise<Outcome<true>> => {
      const removed = await change({ principal, operation: "image.remove", id: vehicleId }, (now) =>
        imageRemoved(now, imageId),
      );
      return removed instanceof Failure ? removed : true;
    }),
  };
};

export type Images = ReturnType<typeof makeImages>;
