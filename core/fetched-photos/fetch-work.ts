import type { WaitingPhoto } from "../imports/import-repository.ts";
import type { Claim } from "../jobs/job.ts";
import type { NewPhoto } from "../photos/photo-repository.ts";

/** What is known of a photo that waits, before anything is fetched. */
interface KnownOfPhoto {
  /** False if the vehicle is gone, or has no image with this address any more. */
  readonly isWanted: boolean;
  /** The stored address of the photo that the dealer has of this address; `null` if there is none. */
  readonly photo: string | null;
  /** Why the import could not fetch the address for another row; `null` if it has not tried. */
  readonly problem: string | null;
}

/** What came of a photo that waited. */
export type Fetched =
  /** A photo whose files are in the storage. */
  | { readonly kind: "made"; readonly photo: NewPhoto }
  /** The stored address of a photo that the dealer has already. */
  | { readonly kind: "there"; readonly photo: string }
  | { readonly kind: "failed"; readonly problem: string }
  /** Nothing needs it any more. */
  | { readonly kind: "unwanted" };

/** The photos of an import that are fetched, in the database. Each method that has a claim throws LeaseLost without it. */
export interface FetchWork {
  /**
   * Some photos of the job's import that wait, in the order of the rows. `null` if there is nothing to do any more: the
   * last one is done, the import was stopped or removed, or its maker lost their rights. The job ends then.
   */
  next(claim: Claim): Promise<readonly WaitingPhoto[] | null>;
  known(importId: number, waiting: WaitingPhoto): Promise<KnownOfPhoto>;
  /** The stored address of the photo that was made of these bytes for the dealer; `null` if there is none. */
  photoWith(dealerId: number, sha256: string): Promise<string | null>;
  /**
   * Gives the vehicle's image its photo, or the row its warning, and counts it. Returns false if a photo that was made
   * got no image: its files are not needed. `null` if the import is to fetch nothing more, as when its maker lost
   * their rights: nothing was changed.
   */
  settle(claim: Claim, waiting: WaitingPhoto, fetched: Fetched): Promise<boolean | null>;
  /** Keeps the job, whose work takes long. */
  renewLease(claim: Claim): Promise<void>;
  /** The job is no worse for being given back now. */
  forgive(claim: Claim): Promise<void>;
  /** Adds the jobs of imports that have none, as in a copy of a database. */
  addMissingJobs(): Promise<void>;
}
