import type { Timers } from "../clock.ts";
import { type Egress, EgressFailure } from "../egress/egress.ts";
import { Failure, type Outcome } from "../failure.ts";
import type { WaitingPhoto } from "../imports/import-repository.ts";
import { type Claim, LEASE_SECONDS, MAX_ATTEMPTS } from "../jobs/job.ts";
import { inspectPhoto } from "../photos/inspection.ts";
import type { NewPhoto } from "../photos/photo-repository.ts";
import { StorageAway } from "../photos/photo-storage.ts";
import { AWAY, type PhotoWork, storedPhoto } from "../photos/photo-work.ts";
import { Gate } from "../photos/turns.ts";
import type { Fetched, FetchWork } from "./fetch-work.ts";
import { NotDownloaded, photoDownloads } from "./photo-download.ts";

/** The photos of one job that are fetched at once. */
const AT_ONCE = 2;
const LEASE_RENEWAL_MS = (LEASE_SECONDS * 1000) / 3;
/** How often it is asked whether the work is to go on later. */
const LOOK_MS = 250;

const DEFECT = `could not be read: the service was interrupted ${MAX_ATTEMPTS} times at it; the log says why`;
const LATER = new EgressFailure("not_wanted", "It is fetched later");

interface Parts {
  readonly work: FetchWork;
  readonly egress: Pick<Egress, "get">;
  /** `null` if no photos are taken, for this reason. */
  readonly photos: PhotoWork | null;
  readonly offReason: string;
  /** Tells why there is no room for another photo of a dealer. */
  readonly noRoom: (dealerId: number) => Promise<Failure | null>;
  readonly clock: Timers;
}

/** Why a photo was refused, in words for those who read the import. */
const reasonOf = ({ cause }: Failure): string => {
  if (cause.kind === "invalid") return cause.issues.map(({ message }) => message).join("; ");
  return "reason" in cause ? cause.reason : cause.kind;
};

/** Fetches the photos of imports, after their rows are done. */
export const makePhotoFetching = ({ work, egress, photos, offReason, noRoom, clock }: Parts) => {
  // Photos that people send are decoded on the same processors, and never wait for more than one of these.
  const decoding = new Gate(1);

  /** A photo of these bytes, which another address may have had before. */
  const photoOf = async (own: PhotoWork, bytes: Uint8Array, dealerId: number): Promise<Outcome<NewPhoto> | string> => {
    const image = inspectPhoto(bytes);
    if (image instanceof Failure) return image;
    const sha256 = own.hash(bytes);
    const same = await work.photoWith(dealerId, sha256);
    if (same !== null) return same;
    const full = await noRoom(dealerId);
    if (full !== null) return full;
    const leave = await decoding.enter();
    try {
      return await storedPhoto(own, image, { sha256 });
    } finally {
      leave();
    }
  };

  /** Throws StorageAway if the photo has to wait. */
  const fetched = async (
    importId: number,
    waiting: WaitingPhoto,
    download: ReturnType<typeof photoDownloads>,
  ): Promise<Fetched> => {
    const known = await work.known(importId, waiting);
    if (!known.isWanted) return { kind: "unwanted" };
    if (known.photo !== null) return { kind: "there", photo: known.photo };
    if (known.problem !== null) return { kind: "failed", problem: known.problem };
    if (photos === null) return { kind: "failed", problem: offReason };
    const photo = await download(waiting.address, (bytes) => photoOf(photos, bytes, waiting.dealerId));
    if (photo instanceof NotDownloaded) return { kind: "failed", problem: photo.problem };
    if (photo === AWAY) throw new StorageAway("photos of imports wait until their storage is in reach");
    if (photo instanceof Failure) return { kind: "failed", problem: reasonOf(photo) };
    return typeof photo === "string" ? { kind: "there", photo } : { kind: "made", photo };
  };

  /** Returns false if the photos behind it may not be wanted any more, either. */
  const settle = async (claim: Claim, waiting: WaitingPhoto, came: Fetched): Promise<boolean> => {
    const isUsed = await work.settle(claim, waiting, came);
    // The sweep finds them too, only later.
    if (came.kind === "made" && isUsed !== true) await photos?.storage.remove(came.photo.photoId).catch(() => {});
    return isUsed !== null;
  };

  /** Fetches some photos, a few at once, and those with the same address one after another. */
  const fetchSome = async (
    claim: Claim,
    some: readonly WaitingPhoto[],
    {
      download,
      isStopping,
    }: { readonly download: ReturnType<typeof photoDownloads>; readonly isStopping: () => boolean },
  ): Promise<void> => {
    const queue = [...Map.groupBy(some, ({ dealerId, address }) => `${dealerId} ${address}`).values()];
    const lane = async (): Promise<void> => {
      for (let group = queue.shift(); group !== undefined; group = queue.shift())
        for (const waiting of group) {
          const came = isStopping() ? null : await fetched(claim.subjectId, waiting, download);
          // What was broken off is no fault of the address.
          if (came === null || (came.kind === "failed" && isStopping())) return;
          if (!(await settle(claim, waiting, came))) {
            queue.length = 0;
            return;
          }
        }
    };
    const lanes = await Promise.allSettled(Array.from({ length: AT_ONCE }, lane));
    for (const { status, reason } of lanes as PromiseRejectedResult[]) if (status === "rejected") throw reason;
  };

  /** Works through what waits. Returns when nothing does, or when it is to go on later. */
  const workThrough = async (claim: Claim, isStopping: () => boolean): Promise<void> => {
    const { promise: ended, resolve: end } = Promise.withResolvers<EgressFailure>();
    let isLost = false;
    const isOver = (): boolean => isLost || isStopping();
    const stopLooking = clock.every(LOOK_MS, () => isOver() && end(LATER));
    const stopRenewing = clock.every(LEASE_RENEWAL_MS, () =>
      work.renewLease(claim).catch(() => {
        isLost = true;
      }),
    );
    const download = photoDownloads(egress, ended);
    try {
      for (let some = await work.next(claim); some !== null && !isOver(); some = await work.next(claim))
        await fetchSome(claim, some, { download, isStopping: isOver });
    } finally {
      stopLooking();
      stopRenewing();
    }
  };

  return {
    /** Fetches the photos of a job's import. It throws if the database or the storage is out of reach, to go on later. */
    async run(claim: Claim, isStopping: () => boolean): Promise<void> {
      if (claim.attempts > MAX_ATTEMPTS) {
        const [first] = (await work.next(claim)) ?? [];
        if (first !== undefined) await settle(claim, first, { kind: "failed", problem: DEFECT });
      }
      try {
        await photos?.storage.check();
        await workThrough(claim, isStopping);
      } catch (error) {
        if (error instanceof StorageAway) await work.forgive(claim);
        throw error;
      }
    },
  };
};
