import { imageRoutes } from "../../adapters/http/api/images.ts";
import { makeImages } from "../../core/images/images.ts";
import { makeImagesOfVehicles } from "../../core/images/images-of-vehicles.ts";
import { makePrimaryImages } from "../../core/images/primary-images-of-vehicles.ts";
import type { Photos } from "../../core/photos/photos.ts";
import type { Feature } from "./feature.ts";
import type { Shared } from "./shared.ts";

/** The images of vehicles, with the photos among them. */
export const wireImages = ({ images: stored, vehicles, clock, delivery, quotas }: Shared, photos: Photos) => {
  const images = makeImages({ images: stored, vehicles, clock, delivery, maxImages: quotas.imagesPerVehicle });
  return {
    uses: {
      images,
      primaryImages: makePrimaryImages({ images: stored, delivery }),
      imagesOfVehicles: makeImagesOfVehicles({ images: stored, delivery }),
    },
    routes: () => imageRoutes(images, photos),
  } satisfies Feature;
};
