import { Button } from "@mantine/core";
import type { AnsweredWord } from "../../../core/vehicles/understanding.ts";
import type { Meaning } from "../../../core/vehicles/understood-words.ts";
import type { ListResult } from "../api/client.ts";
import { labelFromName } from "../forms/draft.ts";
import type { SearchChip } from "../lists/filters.tsx";
import type { ListState } from "../lists/list-state.ts";
import { EmptyState } from "../lists/record-list.tsx";
import { formatCount } from "../page/figures.tsx";

/** The labels of chips that differ from the names of the fields. */
const LABELS: { readonly [Name in Meaning]?: string } = {
  exterior_color: "Color",
  stock_number: "Stock",
  stock_number_ending: "Stock",
  vin: "VIN",
  vin_ending: "VIN",
  title: "Words",
  features: "Words",
  description: "Words",
};

const labelOf = (meaning: Meaning | null): string =>
  meaning === null ? "Search" : (LABELS[meaning] ?? labelFromName(meaning));

const textOf = ({ word, as, value }: AnsweredWord): string =>
  as === "stock_number_ending" || as === "vin_ending" ? `…${word}` : (value ?? word);

/** Words that stand beside each other for the same value, such as those of `Land Rover`. */
type SameMeaning = readonly AnsweredWord[];

const isSameMeaning = (one: AnsweredWord | undefined, other: AnsweredWord): boolean =>
  one !== undefined && other.as !== null && one.as === other.as && one.value === other.value;

const grouped = (words: readonly AnsweredWord[]): readonly SameMeaning[] => {
  const groups: AnsweredWord[][] = [];
  for (const word of words) {
    const last = groups.at(-1);
    if (last !== undefined && isSameMeaning(last.at(-1), word)) last.push(word);
    else groups.push([word]);
  }
  return groups;
};

/** The search without some of its words, which are named in the order of the search. */
const without = (q: string, words: readonly AnsweredWord[], left: readonly AnsweredWord[]): string => {
  let rest = "";
  let place = 0;
  for (const word of words) {
    const at = q.indexOf(word.word, place);
    if (at < 0) continue;
    rest += q.slice(place, at) + (left.includes(word) ? "" : word.word);
    place = at + word.word.length;
  }
  return (rest + q.slice(place)).replace(/\s+/g, " ").trim();
};

/** What the service understood of the present search; nothing while the answer to it is still to come. */
const understoodOf = (
  list: ListState,
  { data, isPlaceholderData }: { readonly data: ListResult<unknown> | undefined; readonly isPlaceholderData: boolean },
): readonly AnsweredWord[] => (isPlaceholderData || list.filter("q") === "" ? [] : (data?.understood ?? []));

/** A chip for each thing that a search was understood as; each removes its words. */
export const searchChips = (list: ListState, query: Parameters<typeof understoodOf>[1]): readonly SearchChip[] => {
  const words = understoodOf(list, query);
  return grouped(words).map((same) => {
    const [first] = same as readonly [AnsweredWord];
    return {
      label: labelOf(first.as),
      text: textOf(first),
      onRemove: () => list.setFilters({ q: without(list.filter("q"), words, same) }),
    };
  });
};

interface NothingFoundProps {
  readonly list: ListState;
  readonly query: Parameters<typeof understoodOf>[1];
}

/** Replaces a list in which nothing was found: offers to leave out a word without which there are vehicles. */
export const NothingFound = ({ list, query }: NothingFoundProps) => {
  const words = understoodOf(list, query);
  const offered = words
    .filter(({ total_without }) => (total_without ?? 0) > 0)
    .toSorted((one, other) => (other.total_without ?? 0) - (one.total_without ?? 0));
  if (offered.length === 0)
    return <EmptyState title="No vehicle matches">Search for something else, or clear the filters.</EmptyState>;
  return (
    <EmptyState title={words.length > 1 ? "No vehicle has all of these words" : "No vehicle has this word"}>
      <div className="leave-out">
        {offered.map((word) => (
          <Button
            key={word.word}
            variant="default"
            size="xs"
            onClick={() => list.setFilters({ q: without(list.filter("q"), words, [word]) })}
          >
            Leave out “{word.word}”: {formatCount(word.total_without ?? 0, "vehicle")}
          </Button>
        ))}
      </div>
    </EmptyState>
  );
};
