import type { OwnColumns } from "../../../core/imports/headings/columns.ts";
import { foldHeading } from "../../../core/imports/headings/headings.ts";
import type { Mapping } from "../../../core/imports/mapping.ts";
import { change } from "../api/client.ts";
import { useList } from "../api/queries.ts";

/** The dealer's mapping that the portal keeps: one, replaced by each file whose columns were changed. */
const MAPPING_NAME = "Last import in the portal";
const PATH = "/import-mappings";

/** What a dealer's last file says of the columns of the next one. */
export interface SavedColumns {
  /** False until the service has said what is kept. */
  readonly isLoaded: boolean;
  /** What is kept of headings that this file has. */
  readonly ownColumns: OwnColumns;
  /** Keeps what was chosen for this file; nothing is done without a dealer, or if it is kept already. */
  save(ownColumns: OwnColumns): Promise<void>;
}

/** The words for headings that are there; of all others they say nothing. */
const forHeadings = (heading: readonly string[], ownColumns: OwnColumns): OwnColumns => {
  const known = new Set(heading.map(foldHeading));
  return Object.fromEntries(Object.entries(ownColumns).filter(([name]) => known.has(foldHeading(name))));
};

const isSame = (one: OwnColumns, other: OwnColumns): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([name, field]) => other[name] === field);

/** What is kept for a file of this dealer with these headings, by whichever of its users. */
export const useSavedColumns = (dealerId: string, heading: readonly string[]): SavedColumns => {
  const isOfDealer = /^\d+$/.test(dealerId);
  const query = { dealer_id: dealerId, limit: 100 };
  const { data, isLoading, isPlaceholderData } = useList<Mapping>(PATH, query, { enabled: isOfDealer, staleMs: 0 });
  // While the next dealer's arrive, those of the one before are still there.
  const saved = data?.items.find((one) => one.name === MAPPING_NAME && String(one.dealer_id) === dealerId);
  const ownColumns = forHeadings(heading, saved?.columns ?? {});
  return {
    isLoaded: !isOfDealer || !(isLoading || isPlaceholderData),
    ownColumns,
    async save(chosen) {
      const columns = forHeadings(heading, chosen);
      if (!isOfDealer || isSame(columns, ownColumns)) return;
      if (saved === undefined) await change("POST", PATH, { name: MAPPING_NAME, dealer_id: Number(dealerId), columns });
      else await change("PUT", `${PATH}/${saved.id}`, { columns });
    },
  };
};
