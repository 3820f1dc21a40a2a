import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconFilter2, IconSearch, IconX } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { RecordSearch } from "../forms/record-search.tsx";
import { type RecordSource, useRecordName } from "../forms/record-source.ts";
import type { ListState } from "./list-state.ts";

const DEBOUNCE_MS = 150;

/** A filter of a list: a choice among `options`, or a text of the given type. */
export interface Filter {
  /** The parameter of the list's address and of the request. */
  readonly name: string;
  readonly label: string;
  readonly options?: readonly (readonly [word: string, label: string])[];
  readonly type?: "text" | "number" | "date";
  /** A choice of one of these records, found by the server's search. */
  readonly records?: RecordSource;
  /** Parameters that depend on this filter and are removed with it. */
  readonly dependentParams?: readonly string[];
  /** Formats a value for its chip; by default it is the label from `options`, or the raw value. */
  readonly formatValue?: (value: string) => string;
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

/** A text filter's input: applies after a short pause, as one history entry until the field loses the focus. */
export const useTypedFilter = (list: ListState, name: string) => {
  const applied = list.filter(name);
  const [value, setTyped] = useState(applied);
  const lastApplied = useRef(applied);
  const hasEntry = useRef(false);
  const apply = useDebouncedCallback((text: string) => {
    lastApplied.current = text;
    list.setFilters({ [name]: text }, { replace: hasEntry.current });
    hasEntry.current = true;
  }, DEBOUNCE_MS);
  // The filter changed elsewhere: by a link, the back button, or the clear button.
  useEffect(() => {
    if (applied === lastApplied.current) return;
    lastApplied.current = applied;
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
    /** Sets and applies a text at once. */
    setNow: (text: string): void => {
      setTyped(text);
      apply(text);
      apply.flush();
    },
  };
};

/** A filter with a text field. */
export const TextFilter = ({ list, filter: { name, label, type } }: FilterProps) => (
  <TextInput className="filter" size="xs" label={label} type={type ?? "text"} {...useTypedFilter(list, name).input} />
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

/** A chip, such as one for a part of a search, with what removes it. */
export interface SearchChip {
  readonly label: string;
  readonly text: string;
  readonly onRemove: () => void;
}

const Chip = ({ label, text, onRemove }: SearchChip) => (
  <button type="button" className="chip" aria-label={`Remove the filter ${label}: ${text}`} onClick={onRemove}>
    {label}: {text} <IconX size={14} aria-hidden />
  </button>
);

const RecordChip = ({ records, id, ...chip }: Omit<SearchChip, "text"> & { records: RecordSource; id: string }) => (
  <Chip {...chip} text={useRecordName(records, id)} />
);

const FilterChip = ({
  list,
  filter: { name, label, options, records, dependentParams = [], formatValue },
}: FilterProps) => {
  const cleared = Object.fromEntries([name, ...dependentParams].map((one) => [one, ""]));
  const chip = { label, onRemove: () => list.setFilters(cleared) };
  if (records !== undefined) return <RecordChip {...chip} records={records} id={list.filter(name)} />;
  const wordOf = (value: string): string =>
    options?.find(([word]) => word === value)?.[1] ?? formatValue?.(value) ?? value;
  return <Chip {...chip} text={list.values(name).map(wordOf).join(", ")} />;
};

const SEARCH: Filter = { name: "q", label: "Search" };

interface ChipsProps extends Pick<FiltersProps, "list" | "filters"> {
  readonly searchChips: readonly SearchChip[];
}

/** The active filters, each with a button that removes it. */
const Chips = ({ list, filters, searchChips }: ChipsProps) => (
  <div className="chips">
    {searchChips.map((chip) => (
      <Chip key={`${chip.label} ${chip.text}`} {...chip} />
    ))}
    {(searchChips.length > 0 ? filters : [SEARCH, ...filters])
      .filter(({ name }) => list.filter(name) !== "")
      .map((filter) => (
        <FilterChip key={filter.name} list={list} filter={filter} />
      ))}
    <Button variant="subtle" size="compact-sm" onClick={list.clearFilters}>
      Clear filters
    </Button>
  </div>
);

interface FiltersProps {
  readonly list: ListState;
  readonly filters: readonly Filter[];
  /** The placeholder of the search field, such as "Name, city or e-mail"; without it there is no search field. */
  readonly search?: string;
  /** Chooses the order, on windows too narrow for column headings. */
  readonly orderChoice?: ReactNode;
  /** Opens the list's filter panel; `null` while the panel is visible. */
  readonly openFilterPanel?: (() => void) | null;
  /** Replaces the search field. */
  readonly searchField?: ReactNode;
  /** What the search was understood as, instead of one chip with all of it. */
  readonly searchChips?: readonly SearchChip[];
  /** Further tools at the end of the row. */
  readonly children?: ReactNode;
}

/** The props of every search field. */
export const searchInputProps = (search: string) => ({
  className: "listing-search",
  size: "xs",
  type: "search",
  "aria-label": "Search",
  placeholder: search,
  leftSection: <IconSearch size={15} aria-hidden />,
});

const SearchField = ({ list, search }: { list: ListState; search: string }) => (
  <TextInput {...searchInputProps(search)} {...useTypedFilter(list, "q").input} />
);

interface FilterButtonProps {
  /** The number of active filters. */
  readonly count: number;
  readonly isOpen: boolean;
  readonly isAlwaysShown: boolean;
  readonly onClick: () => void;
}

const FilterButton = ({ count, isOpen, isAlwaysShown, onClick }: FilterButtonProps) => (
  <Button
    {...(!isAlwaysShown && { className: "only-narrow" })}
    variant="default"
    size="xs"
    leftSection={<IconFilter2 size={15} aria-hidden />}
    aria-expanded={isOpen}
    onClick={onClick}
  >
    {count === 0 ? "Filters" : `Filters (${count})`}
  </Button>
);

/** The top of a list: search field, filters (behind a button on narrow windows) and active filters. */
export const Filters = ({
  list,
  filters,
  search,
  orderChoice,
  openFilterPanel,
  searchField,
  searchChips = [],
  children,
}: FiltersProps) => {
  const [isOpen, setOpen] = useState(false);
  const set = filters.filter(({ name }) => list.filter(name) !== "").length;
  const hasFilterPanel = openFilterPanel !== undefined;
  return (
    <search className="listing-head">
      <div className="listing-tools">
        {searchField ?? (search !== undefined && <SearchField list={list} search={search} />)}
        {hasFilterPanel && openFilterPanel !== null && (
          <FilterButton count={set} isOpen={false} isAlwaysShown onClick={openFilterPanel} />
        )}
        {!hasFilterPanel && (filters.length > 0 || orderChoice !== undefined) && (
          <FilterButton count={set} isOpen={isOpen} isAlwaysShown={false} onClick={() => setOpen(!isOpen)} />
        )}
        {hasFilterPanel ? (
          orderChoice
        ) : (
          <div className={isOpen ? "listing-filters open" : "listing-filters"}>
            {filters.map((filter) => (
              <FilterField key={filter.name} list={list} filter={filter} />
            ))}
            {orderChoice}
          </div>
        )}
        {/* Without fields above the list the chips share their row, so that typing moves nothing. */}
        {hasFilterPanel && list.isFiltered && <Chips list={list} filters={filters} searchChips={searchChips} />}
        {children}
      </div>
      {!hasFilterPanel && list.isFiltered && <Chips list={list} filters={filters} searchChips={searchChips} />}
    </search>
  );
};
