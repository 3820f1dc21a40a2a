import { type DealerScope, scopeOf } from "../access/decide.ts";
import { type Caller, isAdmitted } from "../access/use-case.ts";
import { idIn, withFields } from "../stored-json.ts";
import { type ImageDelivery, presentImage, type StoredImage } from "./image.ts";

/** The primary image of a vehicle, if it has one, and the number of its images. */
export interface PrimaryImage {
  readonly image: StoredImage | null;
  readonly count: number;
}

/** The primary images of vehicles in the database. */
export interface PrimaryImageRepository {
  /** By vehicle id, without vehicles out of scope. One statement. */
  primaries(vehicleIds: readonly number[], scope: DealerScope): Promise<ReadonlyMap<number, PrimaryImage>>;
}

interface Ports {
  readonly images: PrimaryImageRepository;
  readonly delivery: ImageDelivery | null;
}

const NONE: PrimaryImage = { image: null, count: 0 };

/** Adds `primary_image` and `image_count` to vehicles, with one statement for all of them. */
export const makePrimaryImages = ({ images, delivery }: Ports) => ({
  /** Adds them to vehicles that are JSON texts. Callers see no images that they may not read. */
  async addToTexts(caller: Caller, texts: readonly string[]): Promise<readonly string[]> {
    const mayRead = texts.length > 0 && isAdmitted(caller, "image.list");
    const found = mayRead ? await images.primaries(texts.map(idIn), scopeOf(caller)) : new Map<number, PrimaryImage>();
    return texts.map((text) => {
      const { image, count } = found.get(idIn(text)) ?? NONE;
      return withFields(text, { primary_image: image && presentImage(delivery, image), image_count: count });
    });
  },
});
