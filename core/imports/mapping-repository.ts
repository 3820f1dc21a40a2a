import type { DealerScope } from "../access/decide.ts";
import type { Actor } from "../access/principal.ts";
import type { Timestamp } from "../clock.ts";
import type { UNKNOWN_DEALER } from "../vehicles/vehicle-repository.ts";
import type { CursorPage, ListPosition } from "./import-repository.ts";
import type { Mapping, MappingChanges } from "./mapping.ts";

/** One mapping, if it is in scope. */
interface ScopedId {
  readonly id: number;
  readonly scope: DealerScope;
}

/** Who changes a mapping, and when, for the audit log. */
interface ChangeContext {
  readonly now: Timestamp;
  readonly by: Actor;
}

/** Mappings in the database. Methods with a scope put it into the WHERE of their statements. */
export interface MappingRepository {
  insert(mapping: Omit<Mapping, "id">, by: Actor): Promise<Mapping | typeof UNKNOWN_DEALER>;
  find(one: ScopedId): Promise<Mapping | null>;
  /** Newest first. */
  list(query: {
    readonly scope: DealerScope;
    readonly dealerId?: number;
    readonly limit: number;
    readonly after: ListPosition | null;
  }): Promise<CursorPage<Mapping, ListPosition>>;
  /** The changed mapping; `null` if there is none in scope. */
  update(change: ScopedId & ChangeContext & { readonly changes: MappingChanges }): Promise<Mapping | null>;
  /** False if there is none in scope. */
  remove(change: ScopedId & ChangeContext): Promise<boolean>;
}
