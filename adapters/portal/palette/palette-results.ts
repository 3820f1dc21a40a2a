import { useDebouncedValue } from "@mantine/hooks";
import { useLists } from "../api/queries.ts";
import { formatNumber } from "../page/figures.tsx";
import { useMay } from "../session/session.tsx";
import { useAmountFormats } from "../settings/amounts.tsx";
import { isSearchable } from "../vehicles/vehicle-words.ts";
import { matches, usePagesAndActions } from "./pages-and-actions.ts";
import { type FoundRecord, type PaletteEntry, RECORD_LISTS } from "./record-lists.ts";

const DEBOUNCE_MS = 120;
const MAX_PER_GROUP = 5;
const MAX_SEARCH_LENGTH = 100;
const STALE_MS = 30_000;

/** Entries under a heading. */
export interface Group {
  readonly heading: string;
  readonly entries: readonly PaletteEntry[];
}

/**
 * What matches the typed text: pages and actions at once, records when the server has answered (`isComplete`). Pages
 * and actions come first, so that an answer moves nothing on the screen.
 */
export const usePaletteResults = (
  typed: string,
): { readonly groups: readonly Group[]; readonly isComplete: boolean } => {
  const may = useMay();
  const { pages, actions } = usePagesAndActions();
  const words = typed.trim().slice(0, MAX_SEARCH_LENGTH);
  const [debouncedWords] = useDebouncedValue(words, DEBOUNCE_MS);
  const recordLists = RECORD_LISTS.filter(({ needs, accepts }) => may(needs) && (accepts?.(debouncedWords) ?? true));
  const answers = useLists<FoundRecord>(
    recordLists.map(({ path, query }) => ({ path, query: { ...query, q: debouncedWords, limit: MAX_PER_GROUP } })),
    { enabled: isSearchable(debouncedWords), staleMs: STALE_MS },
  );
  const { price } = useAmountFormats();
  const records = recordLists.map(({ heading, path, nameOf, detailOf, figuresOf }, place): Group => {
    const { items = [], total = 0 } = answers[place]?.data ?? {};
    const entries = items.map((record) => ({
      to: `${path}/${record.id}`,
      label: record.name ?? nameOf?.(record) ?? "",
      detail: detailOf(record),
      ...(figuresOf !== undefined && { figures: figuresOf(record, price) }),
      ...(record.primary_image !== undefined && { picture: record.primary_image }),
    }));
    const all = {
      to: `${path}?q=${encodeURIComponent(debouncedWords)}`,
      label: `All ${formatNumber(total)} ${heading.toLowerCase()}`,
    };
    return { heading, entries: total > items.length ? [...entries, all] : entries };
  });
  const pagesAndActions = [
    { heading: "Pages", entries: pages.filter(({ label }) => matches(label, words)) },
    { heading: "Actions", entries: actions.filter(({ label }) => matches(label, words)) },
  ];
  return {
    groups: [...pagesAndActions, ...(isSearchable(words) ? records : [])].filter(({ entries }) => entries.length > 0),
    isComplete: !isSearchable(words) || (debouncedWords === words && answers.every(({ isPending }) => !isPending)),
  };
};
