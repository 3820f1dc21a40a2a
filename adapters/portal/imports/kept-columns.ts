import type { OwnColumns } from "../../../core/imports/headings/columns.ts";
import { foldHeading } from "../../../core/imports/headings/headings.ts";
import type { Mapping } from "../../../core/imports/mapping.ts";
import { change } from "../api/client.ts";
import { useListed } from "../api/queries.ts";

/** The dealer's mapping that the portal keeps: one, replaced by each file whose columns were changed. */
const NAME = "Last import in the portal";
const PATH = "/import-mappings";

/** What a dealer's last file says of the columns of the next one. */
export interface KeptColumns {
  /** False until the service has said what is kept. */
  readonly isRead: boolean;
  /** What is kept of headings that this file has. */
  readonly own: OwnColumns;
  /** Keeps what was chosen for this file; nothing is done without a dealer, or if it is kept already. */
  keep(own: OwnColumns): Promise<void>;
}

/** The words for headings that are there; of all others they say nothing. */
const ofHeadings = (heading: readonly string[], own: OwnColumns): OwnColumns => {
  const known = new Set(heading.map(foldHeading));
  return Object.fromEntries(Object.entries(own).filter(([name]) => known.has(foldHeading(name))));
};

const isSame = (one: OwnColumns, other: OwnColumns): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([name, field]) => other[name] === field);

/** What is kept for a file of this dealer with these headings, by whichever of its users. */
export const useKeptColumns = (dealerId: string, heading: readonly string[]): KeptColumns => {
  const isOfDealer = /^\d+$/.test(dealerId);
  const query = { dealer_id: dealerId, limit: 100 };
  const { data, isLoading, isPlaceholderData } = useListed<Mapping>(PATH, query, { enabled: isOfDealer, staleMs: 0 });
  // While the next dealer's arrive, those of the one before are still there.
  const kept = data?.items.find((one) => one.name === NAME && String(one.dealer_id) === dealerId);
  const own = ofHeadings(heading, kept?.columns ?? {});
  return {
    isRead: !isOfDealer || !(isLoading || isPlaceholderData),
    own,
    async keep(chosen) {
      const columns = ofHeadings(heading, chosen);
      if (!isOfDealer || isSame(columns, own)) return;
      if (kept === undefined) await change("POST", PATH, { name: NAME, dealer_id: Number(dealerId), columns });
      else await change("PUT", `${PATH}/${kept.id}`, { columns });
    },
  };
};
