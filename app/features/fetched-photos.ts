import { guardedEgress } from "../../adapters/egress/client.ts";
import { makeFetchWork } from "../../adapters/sql/fetched-photos/fetch-work.ts";
import { makePhotoRepository } from "../../adapters/sql/photos/repository.ts";
import { EGRESS_LIMITS } from "../../core/egress/egress.ts";
import { makePhotoFetching } from "../../core/fetched-photos/fetching.ts";
import { roomForPhotos } from "../../core/photos/room-for-photos.ts";
import type { Feature } from "./feature.ts";
import type { Shared } from "./shared.ts";

/** A photo is small, and others wait behind it. */
const LIMITS = { ...EGRESS_LIMITS, firstByteMs: 15_000, wholeMs: 45_000 };

/** The photos that files name: they are fetched and kept, if their imports ask for it. `nudge` has the jobs run. */
export const wireFetchedPhotos = ({ db, clock, egressAllow, storage, photoParts }: Shared, nudge: () => void) => {
  const work = makeFetchWork(db, clock);
  const { run } = makePhotoFetching({
    work,
    egress: guardedEgress({ allowed: egressAllow, clock, limits: LIMITS }),
    photos: photoParts?.work ?? null,
    offReason: photoParts?.offReason ?? "",
    noRoom: roomForPhotos({ photos: makePhotoRepository(db), quotaMib: photoParts?.quotaMib ?? null, disk: storage }),
    clock,
  });
  return {
    uses: {},
    works: [
      {
        start: ({ interrupted }) => void work.addMissingJobs().then(nudge, (error) => interrupted(error, null)),
        stop: async () => {},
      },
    ],
    /** Fetches the photos of a job's import; `null` where no photos are known of, which another process does then. */
    run: photoParts === null ? null : run,
  } satisfies Feature & Record<"run", unknown>;
};
