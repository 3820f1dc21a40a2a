import type { Timestamp } from "../clock.ts";

/**
 * A position among all changes. `tx` is the number of the transaction on PostgreSQL, and always 0 on SQLite, where
 * transactions follow each other.
 */
export interface Position {
  readonly tx: number;
  readonly number: number;
}

/** True if `one` is behind `other`. */
export const isBehind = (one: Position, other: Position): boolean =>
  one.tx > other.tx || (one.tx === other.tx && one.number > other.number);

/** A vehicle in the order in which the inventory is read. */
export interface WalkedVehicle {
  readonly created_at: Timestamp;
  readonly id: number;
}

/** How far the whole inventory was read: first dealers by their ids, then vehicles with their images, newest first. */
export type WalkPlace =
  | { readonly stage: "dealers"; readonly id: number }
  | {
      readonly stage: "vehicles";
      /** The last vehicle; `null` before the first. */
      readonly vehicle: WalkedVehicle | null;
      /** The last of its images that was read, 0 before the first; `null` if all were. */
      readonly image: number | null;
    };

/** The place of a reader in the feed, which a cursor stands for. */
export interface FeedPlace {
  /** The numbering that `behind` belongs to. A copied or restored database has another one. */
  readonly numbering: string;
  /** The time at which the reader knew all that had changed until then. */
  readonly since: Timestamp;
  /** All changes up to here were read, or are in the inventory as it is read. */
  readonly behind: Position;
  /** How far the inventory was read; `null` once it was read as a whole. */
  readonly walk: WalkPlace | null;
}

/** In place of a place: reading begins with what changes from now on. */
export const NOW = "now";
/** Where reading begins; `null` at the inventory. */
export type FeedStart = FeedPlace | typeof NOW | null;

/** The place where reading the inventory begins. */
export const WALK_BEGIN: WalkPlace = { stage: "dealers", id: 0 };
/** The place where reading vehicles begins. */
export const FIRST_VEHICLE: WalkPlace = { stage: "vehicles", vehicle: null, image: null };
