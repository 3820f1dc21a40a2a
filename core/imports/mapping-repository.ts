import type { DealerScope } from "../access/decide.ts";
import type { Actor } from "../access/principal.ts";
import type { Timestamp } from "../clock.ts";
import type { UNKNOWN_DEALER } from "../vehicles/vehicle-repository.ts";
import type { CursorPage, ListPosition } from "./import-repository.ts";
import type { Mapping } from "./mapping.ts";

/** Names a mapping, and the scope in which it must be. */
interface ScopedId {
  readonly id: number;
  readonly scope: DealerScope;
}

/** Who changes a mapping, and when, for the audit log. */
interface ChangeContext {
  readonly now: Timestamp;
  readonly by: Actor;
}

/** Stored mappings. Methods with a scope put it into the WHERE of their statements. */
export interface MappingRepository {
  insert(mapping: Omit<Mapping, "id">, by: Actor): Promise<Mapping | typeof UNKNOWN_DEALER>;
  find(one: ScopedId): Promise<Mapping | null>;
  /** The mappings, newest first. */
  list(query: {
    readonly scope: DealerScope;
    readonly dealerId?: number;
    readonly limit: number;
    readonly after: ListPosition | null;
  }): Promise<CursorPage<Mapping, ListPosition>>;
  /** Changes a mapping as `decide` says of its present fields, which stay locked; `null` if there is none in scope. */
  change(change: ScopedId & ChangeContext, decide: (present: Mapping) => Mapping): Promise<Mapping | null>;
  /** Removes a mapping; returns false if there is none in scope. */
  remove(change: ScopedId & ChangeContext): Promise<boolean>;
}
