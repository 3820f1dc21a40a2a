import { scopeOf } from "../access/decide.ts";
import {
  missingDealerIssues,
  newRecordsBelongToTheCallersDealer,
} from "../access/rules/new-records-belong-to-the-callers-dealer.ts";
import { scopedChanges } from "../access/scoped-change.ts";
import { useCase } from "../access/use-case.ts";
import type { Clock } from "../clock.ts";
import { Failure, notFound, type Outcome } from "../failure.ts";
import { requireChange } from "../validation.ts";
import { UNKNOWN_DEALER } from "../vehicles/vehicle-repository.ts";
import { unknownDealer } from "../vehicles/vehicles.ts";
import type { CursorPage, ListPosition } from "./import-repository.ts";
import { type Mapping, type MappingListQuery, mappingChanged, mappingChanges, newMapping } from "./mapping.ts";
import type { MappingRepository } from "./mapping-repository.ts";
import { issuesOfValues } from "./values/own-values.ts";

/** Use cases of mappings. For a caller who is bound to a dealer, mappings of other dealers do not exist. */
export const makeMappings = ({ mappings, clock }: { readonly mappings: MappingRepository; readonly clock: Clock }) => ({
  /** Creates a mapping. If the caller is bound to a dealer, that dealer replaces the one that was sent. */
  create: useCase("mapping.create", async (principal, input: unknown): Promise<Outcome<Mapping>> => {
    const scope = scopeOf(principal);
    const body = newMapping.parse(input, (fields) => [
      ...missingDealerIssues(scope, input),
      ...issuesOfValues(fields.values ?? {}),
    ]);
    if (body instanceof Failure) return body;
    const { name, columns, values = {} } = body;
    const dealerId = newRecordsBelongToTheCallersDealer(scope, body.dealer_id);
    if (dealerId === undefined || dealerId === null) return unknownDealer(dealerId);
    const now = clock.now();
    const mapping = { dealer_id: dealerId, name, columns, values, created_at: now, updated_at: now };
    const created = await mappings.insert(mapping, principal);
    return created === UNKNOWN_DEALER ? unknownDealer(dealerId) : created;
  }),

  /** The mappings in the caller's scope, newest first. */
  list: useCase(
    "mapping.list",
    async (
      principal,
      { dealer_id, limit = 100 }: MappingListQuery,
      after: ListPosition | null = null,
    ): Promise<Outcome<CursorPage<Mapping, ListPosition>>> => {
      return mappings.list({
        scope: scopeOf(principal),
        ...(dealer_id !== undefined && { dealerId: dealer_id }),
        limit,
        after,
      });
    },
  ),

  get: useCase("mapping.read", async (principal, id: number): Promise<Outcome<Mapping>> => {
    return (await mappings.find({ id, scope: scopeOf(principal) })) ?? notFound("mapping", id);
  }),

  /** Changes the fields that were sent. The dealer of a mapping cannot change. */
  update: useCase("mapping.update", async (principal, id: number, input: unknown): Promise<Outcome<Mapping>> => {
    const changes = requireChange(mappingChanges.parse(input, (fields) => issuesOfValues(fields.values ?? {})));
    if (changes instanceof Failure) return changes;
    const change = scopedChanges(clock)(principal, id);
    const changed = await mappings.change(change, (present) => mappingChanged(present, changes, change.now));
    return changed ?? notFound("mapping", id);
  }),

  remove: useCase("mapping.delete", async (principal, id: number): Promise<Outcome<true>> => {
    return (await mappings.remove(scopedChanges(clock)(principal, id))) || notFound("mapping", id);
  }),
});

export type Mappings = ReturnType<typeof makeMappings>;
