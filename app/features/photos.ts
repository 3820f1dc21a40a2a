import { photoPage } from "../../adapters/http/photos/photo-files.ts";
import { makePhotoRepository } from "../../adapters/sql/photos/repository.ts";
import { photoSweeps, SWEEPS } from "../../adapters/sql/photos/sweep.ts";
import { recurring } from "../../adapters/system/recurring.ts";
import type { Claim } from "../../core/jobs/job.ts";
import { makePhotoDelivery } from "../../core/photos/photo-delivery.ts";
import { sweepOrphans, sweepRemoved } from "../../core/photos/photo-sweep.ts";
import { makePhotos } from "../../core/photos/photos.ts";
import { type BackgroundWork, type Feature, reportingFailures } from "./feature.ts";
import type { Shared } from "./shared.ts";

const REMOVED_MS = 60_000;
const ORPHANS_MS = 60 * 60_000;

/** Repeated work that also runs once at the start. */
const atOnce = (work: ReturnType<typeof recurring>): BackgroundWork => {
  const { start, stop } = reportingFailures(work);
  return {
    start(listener) {
      void start(listener);
      work.soon();
    },
    stop,
  };
};

/**
 * The photos that the service holds. They are swept each minute, if any was removed, and each hour for files that no
 * photo has. That is work of the job runner (`nudge` has it look), so that one instance does it at a time, and another
 * one goes on if that one is killed.
 */
export const wirePhotos = (
  { db, clock, vehicles, delivery, quotas, photoParts, storage }: Shared,
  nudge: () => void,
) => {
  const stored = makePhotoRepository(db);
  const work = photoParts?.work ?? null;
  const photos = makePhotos({
    photos: stored,
    vehicles,
    clock,
    delivery,
    work,
    offReason: photoParts?.offReason ?? "No photos are taken here",
    maxImages: quotas.imagesPerVehicle,
    quotaMib: photoParts?.quotaMib ?? null,
    disk: storage,
  });
  const sweeps = photoSweeps(db, clock);
  const add = async (subject: number): Promise<void> => {
    await sweeps.add(subject);
    nudge();
  };
  const removed = recurring(clock, REMOVED_MS, async () => {
    if (await sweeps.isWaiting()) await add(SWEEPS.removed);
  });
  const orphans = recurring(clock, ORPHANS_MS, () => add(SWEEPS.orphans));
  return {
    uses: { photos },
    pages: () => (work === null ? [] : [photoPage(makePhotoDelivery(stored, work.storage, clock))]),
    works: work === null ? [] : [atOnce(removed), atOnce(orphans)],
    /** Runs the sweep that a job names. */
    async run(claim: Claim, isStopping: () => boolean): Promise<void> {
      const steps = sweeps.within(claim);
      if (work !== null) {
        const sweep = { photos: steps, storage: work.storage, isStopping };
        await (claim.subjectId === SWEEPS.removed ? sweepRemoved(sweep) : sweepOrphans(sweep, clock.nowMs()));
      }
      if (!isStopping()) await steps.end();
    },
  } satisfies Feature & Record<"run", unknown>;
};
