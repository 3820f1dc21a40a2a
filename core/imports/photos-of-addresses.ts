import { isOwnAddress } from "../images/own-address.ts";
import type { RowReads } from "./import-repository.ts";
import { type Base, isEqual } from "./merge.ts";
import type { LoadedBatch, ReadRow } from "./row-decision.ts";

/** Every address stands for itself. */
export const NO_PHOTOS: LoadedBatch["photoOf"] = (_, address) => address;

const listIn = (value: unknown): readonly string[] => (Array.isArray(value) ? (value as readonly string[]) : []);

/** The addresses of images that a file said of a vehicle, and those that it had after it. */
export const addressesIn = ({ images, images_then }: Base): readonly string[] => [
  ...listIn(images),
  ...listIn(images_then),
];

/** What the rows of a batch may name photos in: their own addresses, and what earlier files said. */
interface NamedAddresses {
  readonly rows: readonly ReadRow[];
  readonly bases: ReadonlyMap<number, Base>;
  /** The dealer of each vehicle that has a base. */
  readonly dealerOf: (vehicleId: number) => number | undefined;
}

/** Reads which of the addresses that a batch may name the service has fetched before. */
export const photosOfBatch = async (
  reads: Pick<RowReads, "photosOf">,
  { rows, bases, dealerOf }: NamedAddresses,
): Promise<LoadedBatch["photoOf"]> => {
  const named = new Map<number, Set<string>>();
  const add = (dealerId: number | null | undefined, addresses: readonly string[]): void => {
    if (typeof dealerId !== "number" || addresses.length === 0) return;
    const known = named.get(dealerId) ?? new Set();
    for (const address of addresses) known.add(address);
    named.set(dealerId, known);
  };
  for (const { dealerId, values } of rows) add(dealerId, values.images ?? []);
  for (const [vehicleId, base] of bases) add(dealerOf(vehicleId), addressesIn(base));
  const photos = new Map<number, ReadonlyMap<string, string>>();
  for (const [dealerId, addresses] of named) photos.set(dealerId, await reads.photosOf(dealerId, [...addresses]));
  return (dealerId, address) => photos.get(dealerId)?.get(address) ?? address;
};

/** A list of addresses with the photos that they stand for, each photo once: two addresses may have the same. */
export const inPhotos = (addresses: readonly string[], photoOf: (address: string) => string): readonly string[] => {
  const photos = addresses.map(photoOf);
  return isEqual(photos, addresses)
    ? addresses
    : photos.filter((one, place) => !isOwnAddress(one) || photos.indexOf(one) === place);
};

/** What a file said, with the photos that its addresses stand for by now. */
export const baseInPhotos = (base: Base, photoOf: (address: string) => string): Base => ({
  ...base,
  ...(Array.isArray(base.images) && { images: inPhotos(listIn(base.images), photoOf) }),
  ...(Array.isArray(base.images_then) && { images_then: inPhotos(listIn(base.images_then), photoOf) }),
});
