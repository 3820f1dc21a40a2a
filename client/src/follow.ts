import { CursorExpired } from "./errors.ts";
import type { ChangePage, Dealer, Image, Vehicle } from "./made/records.ts";
import type { ChangesOperations } from "./made/resources.ts";

/** What to follow, and from where. */
export interface FollowOptions {
  /** The cursor that was kept with the copy. Without it, the whole inventory comes first. */
  readonly after?: string | null;
  readonly kinds?: readonly ("vehicle" | "image" | "dealer")[];
  readonly dealerId?: number;
  /** Records a page, up to 1 000. Default: 500. */
  readonly limit?: number;
  /** Ends it: the loop then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

interface Changed<Kind extends string, Op extends string, Record> {
  readonly kind: Kind;
  readonly op: Op;
  readonly id: number;
  readonly dealer_id: number;
  readonly at: string;
  readonly record: Record;
}

/** What a copy must do. Removing a vehicle also removes its images. */
export type CopyChange =
  | Changed<"vehicle", "upsert", Vehicle>
  | Changed<"image", "upsert", Image>
  | Changed<"dealer", "upsert", Dealer>
  | Changed<"vehicle" | "image" | "dealer", "remove", null>;

/** The copy must be emptied: the cursor was too old, and the whole inventory follows. */
export interface Reset {
  readonly op: "reset";
}

/** A step of `follow`, with the cursor that is to be kept once it is done. */
export type Step = (CopyChange | Reset) & {
  /** Where to go on when this and all steps before it are done. Going on may repeat steps, and never leaves one out. */
  readonly cursor: string | null;
};

/** What a copy must do in one transaction. */
export interface CopyPage {
  /** True if the copy must be emptied first. */
  readonly reset: boolean;
  readonly changes: readonly CopyChange[];
  /** Keep it with the copy, and give it as `after` when the program starts again. `null`: from the beginning. */
  readonly cursor: string | null;
  /** False if the copy is now up to date. */
  readonly more: boolean;
}

/** The seconds for which the service holds an answer until something changes. */
const WAIT = 20;
/** A request that waits has this much longer than that for its way. */
const MARGIN = 40_000;

/** The steps that keep a copy up to date, one by one or as pages. */
export class Follow implements AsyncIterable<Step> {
  readonly #changes: ChangesOperations;
  readonly #options: FollowOptions;

  constructor(changes: ChangesOperations, options: FollowOptions) {
    this.#changes = changes;
    this.#options = options;
  }

  /** The steps page by page: make each page in one transaction, and store its cursor in the same one. */
  async *pages(): AsyncGenerator<CopyPage, void> {
    let cursor = this.#options.after ?? null;
    // Nothing is waited for before the copy is up to date.
    for (let more = true; ; ) {
      const page = await this.#read(cursor, more ? 0 : WAIT);
      cursor = page?.meta.next ?? null;
      more = page?.meta.more ?? true;
      if (page === null) yield { reset: true, changes: [], cursor, more };
      else yield { reset: false, changes: page.data as readonly CopyChange[], cursor, more };
    }
  }

  /** The steps one by one. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Step, void> {
    let before = this.#options.after ?? null;
    for await (const { reset, changes, cursor } of this.pages()) {
      if (reset) yield { op: "reset", cursor };
      for (const [place, change] of changes.entries())
        yield { ...change, cursor: place === changes.length - 1 ? cursor : before };
      before = cursor;
    }
  }

  /** The next page, however often it must be asked for; `null` if the cursor has expired. */
  async #read(after: string | null, wait: number): Promise<ChangePage | null> {
    const { kinds, dealerId, limit = 500, signal } = this.#options;
    const query = {
      limit,
      wait,
      ...(after !== null && { after }),
      ...(kinds !== undefined && { kinds: [...kinds] }),
      ...(dealerId !== undefined && { dealerId }),
    };
    const forEver = { timeout: Number.POSITIVE_INFINITY, tries: Number.POSITIVE_INFINITY };
    try {
      return await this.#changes.page(query, {
        ...forEver,
        tryTimeout: WAIT * 1000 + MARGIN,
        ...(signal !== undefined && { signal }),
      });
    } catch (error) {
      if (error instanceof CursorExpired && after !== null) return null;
      throw error;
    }
  }
}
