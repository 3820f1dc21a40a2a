import type { DealerScope } from "../access/decide.ts";
import type { Actor, Principal } from "../access/principal.ts";
import type { ScopedChange } from "../access/scoped-change.ts";
import type { Timestamp } from "../clock.ts";
import type { Credentials } from "../egress/credentials.ts";
import type { Failure, Outcome } from "../failure.ts";
import type { CursorPage, ListPosition } from "../imports/import-repository.ts";
import type { Claim } from "../jobs/job.ts";
import type { Role } from "../permissions.ts";
import type { FieldOwners } from "../settings/field-owners.ts";
import type { UNKNOWN_DEALER } from "../vehicles/vehicle-repository.ts";
import type { ShownCredentials, Source, SourceOptions, SourceRun } from "./source.ts";

/** The fields of a source that callers set. */
export interface SourceFields {
  readonly name: string;
  readonly url: string;
  readonly schedule: string;
  readonly timezone: string;
  readonly options: SourceOptions;
  /** Who decides about which field, where it is not as in the settings. */
  readonly field_owners: FieldOwners;
  readonly active: boolean;
}

/** A source as it is stored, without its credentials. */
export interface StoredSource extends SourceFields {
  readonly id: number;
  readonly dealerId: number;
  readonly auth: ShownCredentials | null;
  /** The rank that switched it off; `null` if it is active, or if that was not recorded. */
  readonly endedBy: Role | null;
  /** The time of the next fetch by its schedule; `null` if there is none. */
  readonly nextAt: Timestamp | null;
  /** The entity tag of the last imported file. */
  readonly etag: string | null;
  /** The number of consecutive failures, and the time of the first one. */
  readonly failures: number;
  readonly failingSince: Timestamp | null;
  readonly runs: readonly SourceRun[];
  readonly updatedAt: Timestamp;
}

/** A source after a change. */
export interface SourceChange extends SourceFields {
  /** New credentials. `null` removes them; if the field is absent, they stay. */
  readonly auth?: Credentials | null;
  readonly endedBy: Role | null;
  readonly nextAt: Timestamp | null;
  /** True if what is stored about the previous file must be forgotten. */
  readonly isReset: boolean;
  readonly failures: number;
  readonly failingSince: Timestamp | null;
}

/** A source that is being fetched. */
export interface OpenSource extends StoredSource {
  readonly credentials: Credentials | null;
  /** The reason why it cannot be fetched; `null` if it can. */
  readonly problem: string | null;
  /**
   * The person who changed the source last, and who therefore makes its imports; `null` if they have no rights any
   * more.
   */
  readonly maker: Principal | null;
  /** True if vehicles were missing in the previous file. */
  readonly hasMissing: boolean;
}

/** What is stored when a source has been fetched. */
export interface SourceResult {
  readonly run: SourceRun;
  readonly etag: string | null;
  readonly failures: number;
  readonly failingSince: Timestamp | null;
  /** The time of a fetch before the next one by schedule; `null` if there is none. */
  readonly retryAt: Timestamp | null;
  /** The event for the audit log. */
  readonly event: "source.imported" | "source.failing" | "source.switched-off" | null;
}

/** A source whose failures are reported. */
export interface FailingSource {
  readonly id: number;
  readonly dealerId: number;
  readonly problem: string;
}

/** The result if the dealer already has the maximum number of sources. */
export const TOO_MANY_SOURCES = Symbol("too many sources");

/** Stored sources. Methods with a scope put it into the WHERE of their statements. */
export interface SourceRepository {
  /** Creates a source, unless its dealer has `most` already. */
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
  /**
   * Changes a source as `decide` says of its present state, which stays locked; `null` if there is none in scope. From
   * then on, the person who changed it makes its imports.
   */
  change(
    change: ScopedChange,
    decide: (stored: StoredSource) => Outcome<SourceChange>,
  ): Promise<Outcome<Source> | null>;
  /** Removes a source; returns false if there is none in scope. */
  remove(removed: ScopedChange): Promise<boolean>;
  /** Requests that a source is fetched soon, unless `refusal` returns a failure; `null` if there is none in scope. */
  request(
    id: number,
    scope: DealerScope,
    refusal: (stored: StoredSource) => Failure | null,
  ): Promise<Outcome<Source> | null>;
  /** Returns some of the sources that are due. */
  due(now: Timestamp): Promise<readonly StoredSource[]>;
  /** Requests a fetch for the tick at `seen`, unless another process already has. `next` is the tick after it. */
  tick(id: number, seen: Timestamp, next: Timestamp | null): Promise<void>;
}

/** What fetching a source needs from the database. */
export interface SourceWork {
  /** The source of a job; `null` if it was removed, or if another process has the job. */
  open(claim: Claim): Promise<OpenSource | null>;
  /**
   * Runs long work and renews the lease meanwhile, so that no other process takes the job. `ended` resolves if the
   * source is removed or switched off, as its file is no longer wanted then.
   */
  whileRenewingLease<Result>(
    claim: Claim,
    seen: OpenSource,
    work: (ended: Promise<void>) => Promise<Result>,
  ): Promise<Result>;
  /** Renews the lease. Throws LeaseLost if another process has the job by now. */
  renewLease(claim: Claim): Promise<void>;
  /**
   * Stores the result and ends the job. If the source was changed meanwhile, only the run is stored. Returns the source
   * if its failures must be reported, else `null`.
   */
  finish(claim: Claim, seen: OpenSource, result: SourceResult): Promise<FailingSource | null>;
}
