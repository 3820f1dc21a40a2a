import { admit } from "../access/decide.ts";
import type { Principal } from "../access/principal.ts";
import { useCase } from "../access/use-case.ts";
import { visibilityOfKeys } from "../access/visibility.ts";
import { type Clock, hourOf } from "../clock.ts";
import type { Outcome } from "../failure.ts";
import type { Slice } from "../long-items.ts";
import { COUNT_ONLY, type Listing, orderOf, slicedPageOf } from "../page.ts";
import { type KeyExportQuery, type KeyQuery, type KeyRecord, USAGE_SORTS } from "./key.ts";
import type { KeyFilter, KeyRepository } from "./key-repository.ts";
import { lastDay } from "./usage.ts";

interface Ports {
  readonly keys: Pick<KeyRepository, "list" | "all">;
  readonly clock: Clock;
}

/** The keys of an export, newest first. */
export interface KeyExport {
  /** The number of keys that matched the filters when the export was requested. */
  readonly total: number;
  /** KeyRepository describes the resources that reading them takes. */
  readonly keys: Iterable<Slice<KeyRecord>>;
}

/** Lists and exports keys. */
export const makeKeyLists = ({ keys, clock }: Ports) => {
  const refusedSince = (moment: string | undefined): Pick<KeyFilter, "refusedSince"> => {
    const since = moment === undefined ? null : clock.parse(moment);
    return since === null ? {} : { refusedSince: hourOf(since) };
  };

  /** The keys that the caller sees and the query selects. */
  const readable = (principal: Principal, query: KeyExportQuery) => ({
    visibility: visibilityOfKeys(principal),
    filter: {
      ...(query.dealer_id !== undefined && { dealerId: query.dealer_id }),
      ...(query.user_id !== undefined && { userId: query.user_id }),
      ...(query.app_type !== undefined && { appType: query.app_type }),
      ...(query.active !== undefined && { active: query.active }),
      ...(query.status !== undefined && { status: { is: query.status, at: clock.now() } }),
      ...(query.association !== undefined && { association: query.association }),
      ...refusedSince(query.refused_since),
      ...(query.q !== undefined && {
        search: {
          q: query.q,
          // Otherwise a search for a name would reveal it.
          inDealerNames: admit(principal, "dealer.read") === null,
          inUserNames: admit(principal, "user.read") === null,
        },
      }),
    },
  });

  return {
    list: useCase("key.list", async (principal, query: KeyQuery): Promise<Outcome<Listing<KeyRecord>>> => {
      const order = orderOf(query);
      return keys.list({
        ...readable(principal, query),
        page: slicedPageOf(query),
        order,
        ...(USAGE_SORTS.some((sort) => sort === order.by) && { usageFrom: lastDay(clock.nowMs()).first }),
      });
    }),

    /** All keys that the list would find, newest first. */
    export: useCase("key.export", async (principal, query: KeyExportQuery): Promise<Outcome<KeyExport>> => {
      const wanted = readable(principal, query);
      const { total } = await keys.list({ ...wanted, page: COUNT_ONLY });
      return { total, keys: keys.all(wanted) };
    }),
  };
};
