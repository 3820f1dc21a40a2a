import type { OwnColumns } from "../../../core/imports/headings/columns.ts";
import { foldHeading } from "../../../core/imports/headings/fold-heading.ts";
import type { Mapping } from "../../../core/imports/mapping.ts";
import type { OwnValues } from "../../../core/imports/values/own-values.ts";
import { change } from "../api/client.ts";
import { useList } from "../api/queries.ts";

/** The one mapping that the portal saves for a dealer; each file with changed columns replaces it. */
export const MAPPING_NAME = "Last import in the portal";
/** The path of mappings. */
export const MAPPINGS = "/import-mappings";

/** The saved columns of a dealer, for the next file. */
export interface SavedColumns {
  /** False until the saved mapping has loaded. */
  readonly isLoaded: boolean;
  /** The saved columns whose headings this file has. */
  readonly ownColumns: OwnColumns;
  /** What words of the dealer's files mean. */
  readonly ownValues: OwnValues;
  /** Saves the columns chosen for this file; does nothing without a dealer, or if they are saved already. */
  save(ownColumns: OwnColumns): Promise<void>;
}

/** Only the columns whose headings the file has. */
const forHeadings = (heading: readonly string[], ownColumns: OwnColumns): OwnColumns => {
  const known = new Set(heading.map(foldHeading));
  return Object.fromEntries(Object.entries(ownColumns).filter(([name]) => known.has(foldHeading(name))));
};

const isSame = (one: OwnColumns, other: OwnColumns): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([name, field]) => other[name] === field);

/** The columns saved for this dealer by any user, as far as this file has their headings. */
export const useSavedColumns = (dealerId: string, heading: readonly string[]): SavedColumns => {
  const isOfDealer = /^\d+$/.test(dealerId);
  const query = { dealer_id: dealerId, limit: 100 };
  const { data, isLoading, isPlaceholderData } = useList<Mapping>(MAPPINGS, query, { enabled: isOfDealer, staleMs: 0 });
  // Until this dealer's mappings arrive, those of the previous dealer are still there.
  const saved = data?.items.find((one) => one.name === MAPPING_NAME && String(one.dealer_id) === dealerId);
  const ownColumns = forHeadings(heading, saved?.columns ?? {});
  return {
    isLoaded: !isOfDealer || !(isLoading || isPlaceholderData),
    ownColumns,
    ownValues: saved?.values ?? {},
    async save(chosen) {
      const columns = forHeadings(heading, chosen);
      if (!isOfDealer || isSame(columns, ownColumns)) return;
      if (saved === undefined)
        await change("POST", MAPPINGS, { name: MAPPING_NAME, dealer_id: Number(dealerId), columns });
      else await change("PUT", `${MAPPINGS}/${saved.id}`, { columns });
    },
  };
};
