import type { DealerScope } from "../access/decide.ts";
import type { Actor } from "../access/principal.ts";
import type { Timestamp } from "../clock.ts";
import type { UNKNOWN_DEALER } from "../vehicles/vehicle-repository.ts";
import type { CursorPage, ListPosition } from "./import-repository.ts";
import type { Mapping, MappingChanges } from "./mapping.ts";

/** One mapping, if it is in scope. */
interface One {
  readonly id: number;
  readonly scope: DealerScope;
}

/** Who changes one, and when; the audit log has it. */
interface Change {
  readonly now: Timestamp;
  readonly by: Actor;
}

/** Mappings in the database. Methods with a scope put it into the WHERE of their statements. */
export interface MappingRepository {
  insert(mapping: Omit<Mapping, "id">, by: Actor): Promise<Mapping | typeof UNKNOWN_DEALER>;
  find(one: One): Promise<Mapping | null>;
  /** Newest first. */
  list(query: {
    readonly scope: DealerScope;
    readonly dealerId?: number;
    readonly limit: number;
    readonly after: ListPosition | null;
  }): Promise<CursorPage<Mapping, ListPosition>>;
  /** The mapping as it is then; `null` if there is none in scope. */
  update(change: One & Change & { readonly changes: MappingChanges }): Promise<Mapping | null>;
  /** False if there is none in scope. */
  remove(change: One & Change): Promise<boolean>;
}
