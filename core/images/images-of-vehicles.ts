import { type DealerScope, scopeOf } from "../access/decide.ts";
import { type Caller, isAdmitted } from "../access/use-case.ts";
import { idIn, withFields } from "../stored-json.ts";
import { type ImageDelivery, presentImage, type StoredImage } from "./image.ts";

/** The images of vehicles in the database. */
export interface ImagesOfVehiclesRepository {
  /**
   * By vehicle id, the primary one first and the others in their order, without vehicles out of scope. Vehicles without images are absent. One statement.
   */
  imagesOf(vehicleIds: readonly number[], scope: DealerScope): Promise<ReadonlyMap<number, readonly StoredImage[]>>;
}

interface Ports {
  readonly images: ImagesOfVehiclesRepository;
  readonly delivery: ImageDelivery | null;
}

/** Adds `images` to vehicles, with one statement for all of them. */
export const makeImagesOfVehicles = ({ images, delivery }: Ports) => ({
  /** Adds them to vehicles that are JSON texts. Callers see no images that they may not read. */
  async addToTexts(caller: Caller, texts: readonly string[]): Promise<readonly string[]> {
    const mayRead = texts.length > 0 && isAdmitted(caller, "image.list");
    const found = mayRead ? await images.imagesOf(texts.map(idIn), scopeOf(caller)) : new Map();
    return texts.map((text) => {
      const shown = (found.get(idIn(text)) ?? []).map((image: StoredImage) => presentImage(delivery, image));
      return withFields(text, { images: shown });
    });
  },
});
