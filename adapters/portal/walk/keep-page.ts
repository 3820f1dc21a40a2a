import { PAGE_CACHE, PHOTO_CACHE } from "./device.ts";
import type { WalkedVehicle } from "./walk-state.ts";

/** The page of every walk, and the script that answers for the service without a network. */
const WALK_PAGE = "/portal/walk";
const WORKER = "/portal/walk/worker.js";
/** Every part names the others that it needs in this way. */
const PARTS = /\/portal\/assets\/[\w.-]+/g;
/** So many photos of the cards that come next are read in advance. */
const AHEAD = 40;

/** True if this browser can show the page without a network: it does so over https, and on the machine itself. */
export const canKeepPages = (): boolean => "serviceWorker" in navigator && "caches" in globalThis;

const read = async (address: string): Promise<Response> => {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  return response;
};

/** The page and all its parts, each once. */
const partsOf = async (): Promise<ReadonlyMap<string, Response>> => {
  const read_ = new Map<string, Response>();
  const waiting = [WALK_PAGE];
  for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
    if (read_.has(address)) continue;
    const response = await read(address);
    read_.set(address, response.clone());
    if (/\.(?:js|css)$|^\/portal\/walk$/.test(address)) waiting.push(...((await response.text()).match(PARTS) ?? []));
  }
  return read_;
};

/**
 * Keeps the page with all its parts on the device, so that it opens without a network. Parts of an earlier version go
 * once all of this one are there.
 */
export const keepPage = async (): Promise<void> => {
  if (!canKeepPages()) return;
  const parts = await partsOf();
  const cache = await caches.open(PAGE_CACHE);
  // The page comes last: on a full device it has all of its parts, or is the one before.
  for (const [address, response] of [...parts].reverse()) await cache.put(address, response);
  for (const request of await cache.keys()) if (!parts.has(new URL(request.url).pathname)) await cache.delete(request);
  await navigator.serviceWorker.register(WORKER);
};

/** The address of the photo on a card. */
const photoOf = ({ image }: Pick<WalkedVehicle, "image">): string | null =>
  image === null ? null : (image.variants?.medium ?? image.image_url);

/** Deletes the photos of vehicles that are not on this walk. */
export const dropOtherPhotos = async (vehicles: readonly WalkedVehicle[]): Promise<void> => {
  if (!canKeepPages()) return;
  const cache = await caches.open(PHOTO_CACHE);
  const wanted = new Set(vehicles.map(photoOf));
  for (const request of await cache.keys()) if (!wanted.has(request.url)) await cache.delete(request);
};

/** Keeps the photos of the cards that come next, as far as this service holds them. */
export const keepPhotos = async (next: readonly WalkedVehicle[]): Promise<void> => {
  if (!canKeepPages()) return;
  const cache = await caches.open(PHOTO_CACHE);
  for (const vehicle of next.slice(0, AHEAD)) {
    const address = photoOf(vehicle);
    const isHeldHere = address?.startsWith(`${location.origin}/`) === true;
    if (isHeldHere && (await cache.match(address, { ignoreVary: true })) === undefined) await cache.add(address);
  }
};
