import type { DealerScope } from "../access/decide.ts";
import type { Actor, Principal } from "../access/principal.ts";
import type { Timestamp } from "../clock.ts";
import type { Credentials } from "../egress/credentials.ts";
import type { Failure } from "../failure.ts";
import type { CursorPage, ListPosition } from "../imports/import-repository.ts";
import type { Claim } from "../jobs/job.ts";
import type { UNKNOWN_DEALER } from "../vehicles/vehicle-repository.ts";
import type { ShownCredentials, Source, SourceOptions, SourceRun } from "./source.ts";

/** What people decide about a source. */
export interface SourceFields {
  readonly name: string;
  readonly url: string;
  readonly schedule: string;
  readonly timezone: string;
  readonly options: SourceOptions;
  readonly active: boolean;
}

/** A source as it is kept, without its credentials. */
export interface StoredSource extends SourceFields {
  readonly id: number;
  readonly dealerId: number;
  readonly auth: ShownCredentials | null;
  /** When the clock fetches it next; `null` if it does not. */
  readonly nextAt: Timestamp | null;
  /** Of the file that was taken last. */
  readonly etag: string | null;
  /** How often it failed in a row, and since when. */
  readonly failures: number;
  readonly failingSince: Timestamp | null;
  readonly runs: readonly SourceRun[];
  readonly updatedAt: Timestamp;
}

/** What a change makes of a source. */
export interface SourceChange extends SourceFields {
  /** New credentials, `null` for none; without it they stay. */
  readonly auth?: Credentials | null;
  readonly nextAt: Timestamp | null;
  /** True if the next file is the first one: what is known of the one before does not count. */
  readonly isAnew: boolean;
  readonly failures: number;
  readonly failingSince: Timestamp | null;
}

/** A source that is being fetched. */
export interface OpenSource extends StoredSource {
  readonly credentials: Credentials | null;
  /** Why it cannot be fetched; `null` if it can. */
  readonly problem: string | null;
  /** Whose imports these are: who changed the source last. `null` if they may do nothing any more. */
  readonly maker: Principal | null;
  /** True if the file before left vehicles out. */
  readonly hasMissing: boolean;
}

/** What is kept when a source has been fetched. */
export interface SourceResult {
  readonly run: SourceRun;
  readonly etag: string | null;
  readonly failures: number;
  readonly failingSince: Timestamp | null;
  /** When it is fetched again, if not by its schedule. */
  readonly againAt: Timestamp | null;
  /** What the audit log is to have. */
  readonly event: "source.imported" | "source.failing" | "source.switched-off" | null;
}

/** A source of whose failures somebody is told. */
export interface FailingSource {
  readonly id: number;
  readonly dealerId: number;
  readonly problem: string;
}

/** The dealer has as many sources as it may have. */
export const TOO_MANY_SOURCES = Symbol("too many sources");

/** Sources in the database. Methods with a scope put it into the WHERE of their statements. */
export interface SourceRepository {
  /** Makes a source, unless its dealer has `most` already. */
  insert(made: {
    readonly dealerId: number;
    readonly most: number;
    readonly source: SourceChange;
    readonly now: Timestamp;
    readonly by: Actor;
  }): Promise<Source | typeof UNKNOWN_DEALER | typeof TOO_MANY_SOURCES>;
  find(id: number, scope: DealerScope): Promise<Source | null>;
  list(query: {
    readonly scope: DealerScope;
    readonly dealerId?: number;
    readonly limit: number;
    readonly after: ListPosition | null;
  }): Promise<CursorPage<Source, ListPosition>>;
  /** Changes a source; `null` if there is none in scope. Its imports are from now on those of who changes it. */
  update(changed: {
    readonly id: number;
    readonly scope: DealerScope;
    readonly now: Timestamp;
    readonly by: Actor;
    readonly change: (stored: StoredSource) => SourceChange | Failure;
  }): Promise<Source | Failure | null>;
  /** False if there is none in scope. */
  remove(removed: {
    readonly id: number;
    readonly scope: DealerScope;
    readonly now: Timestamp;
    readonly by: Actor;
  }): Promise<boolean>;
  /** Has a source fetched soon. */
  request(id: number, scope: DealerScope): Promise<void>;
  /** Sources whose time has come, a few at once. */
  due(now: Timestamp): Promise<readonly StoredSource[]>;
  /** Has a source fetched for the tick at `seen`, unless another process did; `next` is the tick behind it. */
  tick(id: number, seen: Timestamp, next: Timestamp | null): Promise<void>;
}

/** What fetching a source needs of the database. */
export interface SourceWork {
  /** The source of a job; `null` if it is gone, or another process has the job. */
  open(claim: Claim): Promise<OpenSource | null>;
  /**
   * Does something that takes long; meanwhile no other process takes the job, unless this one is held up. `ended` comes
   * if the job has ended, as the source is gone, or the source was switched off: nobody wants the file any more.
   */
  holding<Result>(claim: Claim, seen: OpenSource, work: (ended: Promise<void>) => Promise<Result>): Promise<Result>;
  /** Throws LeaseLost if another process has the job by now. */
  hold(claim: Claim): Promise<void>;
  /**
   * Keeps what came of it; the job is done. Of a source that was changed meanwhile only the run is kept. If it failed so
   * often that somebody is to be told, that is the answer, else `null`.
   */
  finish(claim: Claim, seen: OpenSource, result: SourceResult): Promise<FailingSource | null>;
}
