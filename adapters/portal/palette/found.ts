import { useDebouncedValue } from "@mantine/hooks";
import { useLists } from "../api/queries.ts";
import { useMay } from "../session/session.tsx";
import { inFigures } from "../shell/figures.tsx";
import { isSearchable } from "../vehicles/vehicle-words.ts";
import { matches, usePlaces } from "./places.ts";
import { type Entry, type FoundRecord, SOURCES } from "./sources.ts";

const PAUSE_MS = 120;
const MOST_OF_EACH = 5;
const LONGEST_SEARCH = 100;
const STALE_MS = 30_000;

/** Entries under a heading. */
export interface Group {
  readonly heading: string;
  readonly entries: readonly Entry[];
}

/**
 * What matches the typed text: pages and actions at once, records when the server has answered (`isWhole`). Pages and
 * actions come first, so that an answer moves nothing that is on the screen already.
 */
export const useFoundAnywhere = (typed: string): { readonly groups: readonly Group[]; readonly isWhole: boolean } => {
  const may = useMay();
  const { pages, actions } = usePlaces();
  const words = typed.trim().slice(0, LONGEST_SEARCH);
  const [asked] = useDebouncedValue(words, PAUSE_MS);
  const sources = SOURCES.filter(({ needs, takes }) => may(needs) && (takes?.(asked) ?? true));
  const answers = useLists<FoundRecord>(
    sources.map(({ path, query }) => ({ path, query: { ...query, q: asked, limit: MOST_OF_EACH } })),
    { enabled: isSearchable(asked), staleMs: STALE_MS },
  );
  const records = sources.map(({ heading, path, nameOf, detailOf }, place): Group => {
    const { items = [], total = 0 } = answers[place]?.data ?? {};
    const entries = items.map((record) => ({
      to: `${path}/${record.id}`,
      label: record.name ?? nameOf?.(record) ?? "",
      detail: detailOf(record),
    }));
    const all = {
      to: `${path}?q=${encodeURIComponent(asked)}`,
      label: `All ${inFigures(total)} ${heading.toLowerCase()}`,
    };
    return { heading, entries: total > items.length ? [...entries, all] : entries };
  });
  const places = [
    { heading: "Pages", entries: pages.filter(({ label }) => matches(label, words)) },
    { heading: "Actions", entries: actions.filter(({ label }) => matches(label, words)) },
  ];
  return {
    groups: [...places, ...(isSearchable(words) ? records : [])].filter(({ entries }) => entries.length > 0),
    isWhole: !isSearchable(words) || (asked === words && answers.every(({ isPending }) => !isPending)),
  };
};
