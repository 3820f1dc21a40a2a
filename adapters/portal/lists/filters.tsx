import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconFilter2, IconSearch, IconX } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { RecordSearch } from "../forms/record-search.tsx";
import { type RecordSource, useNameOf } from "../forms/record-source.ts";
import type { ListState } from "./list-state.ts";

const PAUSE_MS = 150;

/** One way to narrow a list: a choice among `options`, or a text of a kind. */
export interface Filter {
  /** The parameter of the list's address and of the request. */
  readonly name: string;
  readonly label: string;
  readonly options?: readonly (readonly [word: string, label: string])[];
  readonly type?: "text" | "number" | "date";
  /** A choice of one of these records, whatever their number, by the server's search. */
  readonly records?: RecordSource;
  /** Further parameters that mean nothing without it, and go when it goes. */
  readonly withIt?: readonly string[];
  /** How a value is written where it is set; as in `options`, or as it is in the address, unless given. */
  readonly inWords?: (value: string) => string;
}

interface FilterProps {
  readonly list: ListState;
  readonly filter: Filter;
}

const ChoiceFilter = ({ list, filter: { name, label, options = [] } }: FilterProps) => (
  <NativeSelect
    className="filter"
    size="xs"
    label={label}
    value={list.filter(name)}
    onChange={(event) => list.setFilters({ [name]: event.currentTarget.value })}
    data={[{ value: "", label: "Any" }, ...options.map(([value, text]) => ({ value, label: text }))]}
  />
);

/** What is typed into a filter: applied after a short pause, as one entry of the history until the field is left. */
export const useTyped = (list: ListState, name: string) => {
  const applied = list.filter(name);
  const [value, setTyped] = useState(applied);
  const sent = useRef(applied);
  const hasEntry = useRef(false);
  const apply = useDebouncedCallback((text: string) => {
    sent.current = text;
    list.setFilters({ [name]: text }, { replace: hasEntry.current });
    hasEntry.current = true;
  }, PAUSE_MS);
  // The filter changed elsewhere: by a link, the back button, or the clear button.
  useEffect(() => {
    if (applied === sent.current) return;
    sent.current = applied;
    hasEntry.current = false;
    setTyped(applied);
  }, [applied]);
  return {
    input: {
      value,
      autoComplete: "off",
      onChange: ({ currentTarget }: { currentTarget: { value: string } }) => {
        setTyped(currentTarget.value);
        apply(currentTarget.value.trim());
      },
      onBlur: () => {
        hasEntry.current = false;
      },
    },
    /** Takes a text at once, as if it had been typed. */
    take: (text: string): void => {
      setTyped(text);
      apply(text);
      apply.flush();
    },
  };
};

/** What is typed into a field to narrow a list. */
export const TextFilter = ({ list, filter: { name, label, type } }: FilterProps) => (
  <TextInput className="filter" size="xs" label={label} type={type ?? "text"} {...useTyped(list, name).input} />
);

const RecordFilter = ({ list, filter: { name, label }, records }: FilterProps & { records: RecordSource }) => (
  <RecordSearch
    className="filter"
    isFilter
    size="xs"
    label={label}
    placeholder="Any"
    source={records}
    value={list.filter(name)}
    onChange={(id) => list.setFilters({ [name]: id })}
  />
);

const FilterField = ({ list, filter }: FilterProps) => {
  if (filter.records !== undefined) return <RecordFilter list={list} filter={filter} records={filter.records} />;
  return filter.options === undefined ? (
    <TextFilter list={list} filter={filter} />
  ) : (
    <ChoiceFilter list={list} filter={filter} />
  );
};

interface ChipProps {
  readonly label: string;
  readonly text: string;
  readonly onRemove: () => void;
}

const Chip = ({ label, text, onRemove }: ChipProps) => (
  <button type="button" className="chip" aria-label={`Remove the filter ${label}: ${text}`} onClick={onRemove}>
    {label}: {text} <IconX size={14} aria-hidden />
  </button>
);

const RecordChip = ({ records, id, ...chip }: Omit<ChipProps, "text"> & { records: RecordSource; id: string }) => (
  <Chip {...chip} text={useNameOf(records, id)} />
);

const FilterChip = ({ list, filter: { name, label, options, records, withIt = [], inWords } }: FilterProps) => {
  const gone = Object.fromEntries([name, ...withIt].map((one) => [one, ""]));
  const chip = { label, onRemove: () => list.setFilters(gone) };
  if (records !== undefined) return <RecordChip {...chip} records={records} id={list.filter(name)} />;
  const wordOf = (value: string): string => options?.find(([word]) => word === value)?.[1] ?? inWords?.(value) ?? value;
  return <Chip {...chip} text={list.values(name).map(wordOf).join(", ")} />;
};

const SEARCH: Filter = { name: "q", label: "Search" };

/** What is set, each with a button that removes it. */
const Chips = ({ list, filters }: { list: ListState; filters: readonly Filter[] }) => (
  <div className="chips">
    {[SEARCH, ...filters]
      .filter(({ name }) => list.filter(name) !== "")
      .map((filter) => (
        <FilterChip key={filter.name} list={list} filter={filter} />
      ))}
    <Button variant="subtle" size="compact-sm" onClick={list.clear}>
      Clear filters
    </Button>
  </div>
);

interface FiltersProps {
  readonly list: ListState;
  readonly filters: readonly Filter[];
  /** What the field for words finds, as "Name, city or e-mail"; without it there is no such field. */
  readonly search?: string;
  /** How the list is ordered, for windows too narrow for the headings that order it elsewhere. */
  readonly order?: ReactNode;
  /** Opens the filters where they stand beside the list; `null` while they are in sight there. */
  readonly openBeside?: (() => void) | null;
  /** In place of the field for words. */
  readonly searchField?: ReactNode;
  /** Further tools at the end of the row. */
  readonly children?: ReactNode;
}

/** How a field for words looks. */
export const searchLook = (search: string) => ({
  className: "listing-search",
  size: "xs",
  type: "search",
  "aria-label": "Search",
  placeholder: search,
  leftSection: <IconSearch size={15} aria-hidden />,
});

const SearchField = ({ list, search }: { list: ListState; search: string }) => (
  <TextInput {...searchLook(search)} {...useTyped(list, "q").input} />
);

interface FilterButtonProps {
  /** How many are set. */
  readonly set: number;
  readonly isOpen: boolean;
  readonly isAlways: boolean;
  readonly onClick: () => void;
}

const FilterButton = ({ set, isOpen, isAlways, onClick }: FilterButtonProps) => (
  <Button
    {...(!isAlways && { className: "only-narrow" })}
    variant="default"
    size="xs"
    leftSection={<IconFilter2 size={15} aria-hidden />}
    aria-expanded={isOpen}
    onClick={onClick}
  >
    {set === 0 ? "Filters" : `Filters (${set})`}
  </Button>
);

/** Above a list: the field for words, the filters (behind a button on narrow windows), and what is set. */
export const Filters = ({ list, filters, search, order, openBeside, searchField, children }: FiltersProps) => {
  const [isOpen, setOpen] = useState(false);
  const set = filters.filter(({ name }) => list.filter(name) !== "").length;
  const areBeside = openBeside !== undefined;
  return (
    <search className="listing-head">
      <div className="listing-tools">
        {searchField ?? (search !== undefined && <SearchField list={list} search={search} />)}
        {areBeside && openBeside !== null && <FilterButton set={set} isOpen={false} isAlways onClick={openBeside} />}
        {!areBeside && (filters.length > 0 || order !== undefined) && (
          <FilterButton set={set} isOpen={isOpen} isAlways={false} onClick={() => setOpen(!isOpen)} />
        )}
        {areBeside ? (
          order
        ) : (
          <div className={isOpen ? "listing-filters open" : "listing-filters"}>
            {filters.map((filter) => (
              <FilterField key={filter.name} list={list} filter={filter} />
            ))}
            {order}
          </div>
        )}
        {/* In the same row where there are no fields, so that nothing moves as one types. */}
        {areBeside && list.isFiltered && <Chips list={list} filters={filters} />}
        {children}
      </div>
      {!areBeside && list.isFiltered && <Chips list={list} filters={filters} />}
    </search>
  );
};
