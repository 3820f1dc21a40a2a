import type { makeBulk } from "../../adapters/sql/vehicles/bulk.ts";
import type { PhotoStorage } from "../../core/photos/photo-storage.ts";
import { imageUrlsOf } from "./images.ts";
import { InventedPhotos } from "./photos.ts";
import type { SeedVehicle } from "./vehicles.ts";

/** Vehicles as they are added, and what is stored with them. */
type Pictured = Parameters<ReturnType<typeof makeBulk>["addVehicles"]>;

interface Picturing {
  readonly seed: number;
  /** False if vehicles get no images. */
  readonly images: boolean;
  /** The ids of the invented dealers, in the order in which vehicles name them. */
  readonly dealerIds: readonly number[];
  /** `null` if no photos are stored. */
  readonly storage: PhotoStorage | null;
}

/** Gives invented vehicles images: photos that are drawn and stored, or addresses if there is no storage. */
export const picturesFor = ({ seed, images, dealerIds, storage }: Picturing) => {
  const owned = (vehicle: SeedVehicle) => ({ vehicle, dealerId: dealerIds[vehicle.dealer] ?? 0 });
  const fieldsOf = ({ vehicle, dealerId }: ReturnType<typeof owned>) => ({ ...vehicle.fields, dealer_id: dealerId });
  if (storage === null)
    return async (batch: readonly SeedVehicle[]): Promise<Pictured> => [
      batch.map((vehicle) => ({
        fields: fieldsOf(owned(vehicle)),
        images: images ? imageUrlsOf(vehicle).map((image_url) => ({ image_url })) : [],
      })),
    ];
  const invented = new InventedPhotos(storage, `seed ${seed} from dealer ${dealerIds[0] ?? 0}`);
  const known = new Set<number>();
  return async (batch: readonly SeedVehicle[]): Promise<Pictured> => {
    const vehicles = batch.map(owned);
    const accounts = new Map<number, string>();
    for (const { dealerId } of vehicles) {
      if (!known.has(dealerId)) accounts.set(dealerId, invented.accountOf(dealerId));
      known.add(dealerId);
    }
    const photos = await invented.add(vehicles);
    const pictured = vehicles.map(async (one) => ({ fields: fieldsOf(one), images: await invented.imagesOf(one) }));
    return [await Promise.all(pictured), { photos, accounts }];
  };
};
