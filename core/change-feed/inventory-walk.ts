import type { StoredImage } from "../images/image.ts";
import {
  dealerItem,
  type FeedPart,
  type FeedReader,
  type FeedSources,
  imageItem,
  lengthOf,
  MAX_STEPS,
  PAGE_BYTES,
  type Placed,
  STEP,
  vehicleItem,
} from "./feed-part.ts";
import { FIRST_VEHICLE, type WalkedVehicle, type WalkPlace } from "./feed-place.ts";

/** A part of the inventory. Its place is `null` at the end of the inventory. */
type WalkPart = FeedPart<WalkPlace, WalkPlace | null>;

/**
 * Reads the whole inventory part by part: dealers, and then vehicles, each followed by its images. Records that change meanwhile
 * are among the changes that follow.
 */
export const inventoryWalk = ({ records, delivery, pause }: FeedSources) => {
  const dealersFrom = async ({ dealer, kinds }: FeedReader, id: number): Promise<WalkPart> => {
    const found = kinds.has("dealer") ? await records.dealersAfter(dealer, id, STEP) : [];
    const items = found.map(
      (one): Placed<WalkPlace> => ({
        item: dealerItem(one),
        place: { stage: "dealers", id: one.id },
      }),
    );
    const last = found.length === STEP ? items.at(-1) : undefined;
    return { items, place: last?.place ?? FIRST_VEHICLE, more: true };
  };

  /** The images of a vehicle after the one that was read last. */
  const imagesFrom = async (
    { dealer, kinds }: FeedReader,
    vehicle: WalkedVehicle,
    image: number,
  ): Promise<WalkPart> => {
    const [present] = kinds.has("image") ? await records.vehicles(dealer, [vehicle.id]) : [];
    const images = present === undefined ? [] : await records.imagesOf(dealer, [vehicle.id]);
    const place = (last: number | null): WalkPlace => ({ stage: "vehicles", vehicle, image: last });
    return {
      items: images
        .filter(({ id }) => id > image)
        .map((one) => ({ item: imageItem(delivery, one, present?.dealer_id ?? 0), place: place(one.id) })),
      place: place(null),
      more: true,
    };
  };

  const vehiclesFrom = async (
    { dealer, kinds }: FeedReader,
    after: WalkedVehicle | null,
    most: number,
  ): Promise<WalkPart> => {
    if (!kinds.has("vehicle") && !kinds.has("image")) return { items: [], place: null, more: false };
    const wanted = kinds.has("vehicle") ? Math.min(STEP, most) : STEP;
    const found = await records.vehiclesAfter(dealer, after, wanted);
    const ids = found.map(({ id }) => id);
    const images = kinds.has("image") && ids.length > 0 ? await records.imagesOf(dealer, ids) : [];
    const ofVehicle = Map.groupBy(images, ({ vehicle_id }: StoredImage) => vehicle_id);
    const items: Placed<WalkPlace>[] = [];
    for (const vehicle of found) {
      const { created_at, id } = vehicle;
      const own = ofVehicle.get(id) ?? [];
      const place = (image: number | null): WalkPlace => ({ stage: "vehicles", vehicle: { created_at, id }, image });
      if (kinds.has("vehicle")) items.push({ item: vehicleItem(vehicle), place: place(own.length === 0 ? null : 0) });
      for (const image of own)
        items.push({
          item: imageItem(delivery, image, vehicle.dealer_id),
          place: place(image === own.at(-1) ? null : image.id),
        });
    }
    const last = found.length < wanted ? undefined : found.at(-1);
    const place: WalkPlace | null =
      last === undefined
        ? null
        : { stage: "vehicles", vehicle: { created_at: last.created_at, id: last.id }, image: null };
    return { items, place, more: place !== null };
  };

  const stepFrom = (reader: FeedReader, walk: WalkPlace, most: number): Promise<WalkPart> => {
    if (walk.stage === "dealers") return dealersFrom(reader, walk.id);
    const { vehicle, image } = walk;
    return vehicle === null || image === null
      ? vehiclesFrom(reader, vehicle, most)
      : imagesFrom(reader, vehicle, image);
  };

  /** The next part of the inventory, of at most `limit` records. */
  return async (reader: FeedReader, from: WalkPlace, limit: number): Promise<WalkPart> => {
    const items: Placed<WalkPlace>[] = [];
    let place: WalkPlace | null = from;
    let length = 0;
    const isFull = (): boolean => items.length >= limit || length > PAGE_BYTES;
    for (let step = 0; place !== null && step < MAX_STEPS && !isFull(); step++) {
      if (step > 0) await pause();
      const part: WalkPart = await stepFrom(reader, place, limit - items.length);
      place = part.place;
      for (const placed of part.items) {
        if (isFull()) return { items, place: items.at(-1)?.place ?? from, more: true };
        items.push(placed);
        length += lengthOf(placed.item);
      }
    }
    return { items, place, more: place !== null };
  };
};
