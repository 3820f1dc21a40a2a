import { noteWalkOwner } from "./walk-owner.ts";
import type { Action, Change, Kept, WalkState } from "./walk-state.ts";

const DATABASE = "portal-walk";
const WALK = "walk";
const ACTIONS = "actions";
const KEPT = "kept";
/** The caches of the page with its scripts, and of the photos of the cards. */
export const PAGE_CACHE = "portal-walk-page";
export const PHOTO_CACHE = "portal-walk-photos";

/** The walk on this device was deleted: its user has signed out, or another user has signed in. */
class WalkDeleted extends Error {}

const done = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the device's database refused"));
  });

const opened = (): Promise<IDBDatabase> => {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(WALK);
    request.result.createObjectStore(ACTIONS, { keyPath: "key" });
  };
  return done(request);
};

/** Runs work in one transaction, and resolves once it is on the disk. */
const within = async <Result>(
  mode: IDBTransactionMode,
  work: (walk: IDBObjectStore, actions: IDBObjectStore) => Promise<Result>,
): Promise<Result> => {
  const database = await opened();
  try {
    const transaction = database.transaction([WALK, ACTIONS], mode, { durability: "strict" });
    const ended = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new WalkDeleted());
    });
    // Its own error is the better one.
    ended.catch(() => {});
    const result = await work(transaction.objectStore(WALK), transaction.objectStore(ACTIONS));
    await ended;
    return result;
  } finally {
    database.close();
  }
};

const keptIn = (walk: IDBObjectStore): Promise<Kept | undefined> => done(walk.get(KEPT));

/** What is kept on this device, whoever kept it; `null` if nothing is. */
export const readKept = (): Promise<WalkState | null> =>
  within("readonly", async (walk, actions) => {
    const kept = await keptIn(walk);
    const all: Action[] = await done(actions.getAll());
    return kept === undefined ? null : { kept, actions: all };
  });

/** Begins or resumes a walk: its list replaces the one before, the actions stay. Another user's are in the way. */
export const keepWalk = async (kept: Kept): Promise<void> => {
  await within("readwrite", async (walk, actions) => {
    const present = await keptIn(walk);
    if (present !== undefined && present.userId !== kept.userId && (await done(actions.count())) > 0) {
      walk.transaction.abort();
      throw new WalkDeleted();
    }
    walk.put(kept, KEPT);
  });
  noteWalkOwner(kept.userId);
};

/** Keeps a change of a walk, all of it or nothing, if that is still the walk on this device. */
export const saveChange = ({ state: { kept }, put, remove }: Change): Promise<void> =>
  within("readwrite", async (walk, actions) => {
    const present = await keptIn(walk);
    if (present?.userId !== kept.userId) {
      walk.transaction.abort();
      throw new WalkDeleted();
    }
    walk.put(kept, KEPT);
    for (const action of put) actions.put(action);
    for (const key of remove) actions.delete(key);
  });

/**
 * Deletes the list of vehicles and the photos of its cards, so that nobody sees them without a session. What is not sent
 * stays, and how far the walk is.
 */
export const forgetVehicles = async (): Promise<void> => {
  await globalThis.caches?.delete(PHOTO_CACHE);
  await within("readwrite", async (walk) => {
    const kept = await keptIn(walk);
    if (kept !== undefined) walk.put({ ...kept, dealerName: "", vehicles: [] } satisfies Kept, KEPT);
  });
};

/** Deletes all that was kept of a walk, with what is not sent. */
export const forgetWalk = async (): Promise<void> => {
  await globalThis.caches?.delete(PHOTO_CACHE);
  await within("readwrite", async (walk, actions) => {
    walk.clear();
    actions.clear();
  });
  noteWalkOwner(null);
};
