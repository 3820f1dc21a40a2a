/*
 * Answers for the service where there is no network: with the page of a walk, its parts, and the photos of its cards,
 * as the page has kept them. Nothing else is touched, and no answer of the API is ever kept.
 */

/** What a service worker has, as far as it is used here. */
interface Worker {
  readonly location: Location;
  addEventListener(type: "install" | "activate", listener: (event: Lasting) => void): void;
  addEventListener(type: "fetch", listener: (event: Fetched) => void): void;
  skipWaiting(): Promise<void>;
  readonly clients: { claim(): Promise<void> };
}
interface Lasting {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetched {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

const worker = self as unknown as Worker;

// The names that walk/device.ts and walk/keep-page.ts have: a worker is one file.
const PAGE_CACHE = "portal-walk-page";
const PHOTO_CACHE = "portal-walk-photos";
const PAGE = "/portal/walk";
/** Whoever waits so long for the page gets the one that is kept. */
const PATIENCE_MS = 5000;

/** What is kept is good for every request of its address, whatever the request accepts. */
const keptIn = async (name: string, request: Request | string): Promise<Response | undefined> =>
  (await caches.open(name)).match(request, { ignoreVary: true });

/** The newest page if the service answers soon, or else the one that is kept. */
const pageFor = async (request: Request): Promise<Response> => {
  try {
    return await fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch (error) {
    const kept = await keptIn(PAGE_CACHE, PAGE);
    if (kept === undefined) throw error;
    return kept;
  }
};

const keptOrFetched = async (cache: string, request: Request): Promise<Response> =>
  (await keptIn(cache, request)) ?? fetch(request);

/** The photo, which is kept once it was seen. */
const photoFor = async (request: Request): Promise<Response> => {
  const kept = await keptIn(PHOTO_CACHE, request);
  if (kept !== undefined) return kept;
  const answer = await fetch(request);
  // A device without room shows it all the same.
  if (answer.ok) await (await caches.open(PHOTO_CACHE)).put(request, answer.clone()).catch(() => {});
  return answer;
};

worker.addEventListener("install", (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== worker.location.origin || request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(pageFor(request));
  else if (pathname.startsWith("/portal/assets/")) event.respondWith(keptOrFetched(PAGE_CACHE, request));
  else if (pathname.startsWith("/images/")) event.respondWith(photoFor(request));
});
