import { admit, decide, scopeOf } from "../access/decide.ts";
import type { Operation } from "../access/policy.ts";
import type { Principal } from "../access/principal.ts";
import type { Clock } from "../clock.ts";
import { Failure, invalid, notFound, type Outcome } from "../failure.ts";
import { type Listing, pageOf } from "../page.ts";
import { requireChange } from "../validation.ts";
import type { VehicleRepository } from "../vehicles/vehicle-repository.ts";
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
import { type ImageRepository, NOT_THE_IMAGES } from "./image-repository.ts";

interface Ports {
  readonly images: ImageRepository;
  readonly vehicles: Pick<VehicleRepository, "ownerOf">;
  readonly clock: Clock;
  readonly delivery: ImageDelivery | null;
}

/** Image use cases (specification 4.1). An image is reached through its vehicle, and only by who reaches that. */
export const makeImages = ({ images, vehicles, clock, delivery }: Ports) => {
  const present = (image: Parameters<typeof presentImage>[1]): Image => presentImage(delivery, image);

  /** Why nothing was found: the vehicle is not there, not the caller's, or has no such image. */
  const whyMissed = async (
    principal: Principal,
    operation: Operation,
    vehicleId: number,
    imageId: number,
  ): Promise<Failure> => {
    const owner = await vehicles.ownerOf(vehicleId);
    if (owner === null) return notFound("vehicle", vehicleId);
    return decide(principal, operation, "vehicle", owner) ?? notFound("image", imageId);
  };

  return {
    async list(principal: Principal, vehicleId: number, query: ImageQuery): Promise<Outcome<Listing<Image>>> {
      const refused = admit(principal, "image.list");
      if (refused !== null) return refused;
      const listing = await images.list(vehicleId, scopeOf(principal), pageOf(query));
      if (listing === null) return whyMissed(principal, "image.list", vehicleId, 0);
      return { total: listing.total, items: listing.items.map(present) };
    },

    async add(principal: Principal, vehicleId: number, input: unknown): Promise<Outcome<Image>> {
      const refused = admit(principal, "image.add");
      if (refused !== null) return refused;
      const body = newImage.parse(input, (fields) => deliveryIssues(delivery, fields.image_url));
      if (body instanceof Failure) return body;
      const added = await images.add(
        vehicleId,
        scopeOf(principal),
        {
          image_url: body.image_url,
          ...(typeof body.is_primary === "boolean" && { is_primary: body.is_primary }),
          ...(typeof body.display_order === "number" && { display_order: body.display_order }),
        },
        clock.now(),
        principal,
      );
      return added === null ? whyMissed(principal, "image.add", vehicleId, 0) : present(added);
    },

    async update(principal: Principal, vehicleId: number, imageId: number, input: unknown): Promise<Outcome<Image>> {
      const refused = admit(principal, "image.update");
      if (refused !== null) return refused;
      const body = requireChange(
        imageChanges.parse(input, (fields) => deliveryIssues(delivery, fields.image_url)),
      );
      if (body instanceof Failure) return body;
      const updated = await images.update(vehicleId, imageId, scopeOf(principal), body, principal);
      return updated === null ? whyMissed(principal, "image.update", vehicleId, imageId) : present(updated);
    },

    /** Takes the complete list of the vehicle's images in their new order. */
    async reorder(principal: Principal, vehicleId: number, input: unknown): Promise<Outcome<Image[]>> {
      const refused = admit(principal, "image.reorder");
      if (refused !== null) return refused;
      const body = imageOrder.parse(input);
      if (body instanceof Failure) return body;
      const ordered = await images.reorder(vehicleId, scopeOf(principal), body.image_ids, principal);
      if (ordered === NOT_THE_IMAGES)
        return invalid({ path: "image_ids", message: "must be the list of all the vehicle's image ids, each once" });
      return ordered === null ? whyMissed(principal, "image.reorder", vehicleId, 0) : ordered.map(present);
    },

    async remove(principal: Principal, vehicleId: number, imageId: number): Promise<Outcome<true>> {
      const refused = admit(principal, "image.remove");
      if (refused !== null) return refused;
      const removed = await images.remove(vehicleId, imageId, scopeOf(principal), principal);
      return removed || whyMissed(principal, "image.remove", vehicleId, imageId);
    },
  };
};

export type Images = ReturnType<typeof makeImages>;
