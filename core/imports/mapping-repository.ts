import type { DealerScope } from "../access/decide.ts";
import type { Actor } from "../access/principal.ts";
import type { ScopedChange } from "../access/scoped-change.ts";
import type { UNKNOWN_DEALER } from "../vehicles/vehicle-repository.ts";
import type { CursorPage, ListPosition } from "./import-repository.ts";
import type { Mapping } from "./mapping.ts";

/** Stored mappings. Methods with a scope put it into the WHERE of their statements. */
export interface MappingRepository {
  insert(mapping: Omit<Mapping, "id">, by: Actor): Promise<Mapping | typeof UNKNOWN_DEALER>;
  find(one: Pick<ScopedChange, "id" | "scope">): Promise<Mapping | null>;
  /** The mappings, newest first. */
  list(query: {
    readonly scope: DealerScope;
    readonly dealerId?: number;
    readonly limit: number;
    readonly after: ListPosition | null;
  }): Promise<CursorPage<Mapping, ListPosition>>;
  /** Changes a mapping as `decide` says of its present fields, which stay locked; `null` if there is none in scope. */
  change(change: ScopedChange, decide: (present: Mapping) => Mapping): Promise<Mapping | null>;
  /** Removes a mapping; returns false if there is none in scope. */
  remove(change: ScopedChange): Promise<boolean>;
}
