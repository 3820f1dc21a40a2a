import { Combobox, TextInput, type TextInputProps, useCombobox } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { type FocusEvent, type KeyboardEvent, useEffect, useState } from "react";
import { type RecordSource, type SearchableRecord, useRecordName, useRecordSearch } from "./record-source.ts";
import { scrollForDropdown } from "./scroll-for-dropdown.ts";

const DEBOUNCE_MS = 150;
const MIN_WIDTH_PX = 280;

interface RecordSearchProps extends Omit<TextInputProps, "value" | "onChange" | "type"> {
  readonly source: RecordSource;
  /** The id of the chosen record, or nothing. */
  readonly value: string;
  readonly onChange: (id: string) => void;
  /** Further filters of the list. */
  readonly filters?: Readonly<Record<string, string>>;
  /** The ids of records that cannot be chosen. */
  readonly excludedIds?: readonly number[] | undefined;
  /** True for a field that is narrower than what it offers. */
  readonly isFilter?: boolean;
}

/** Says how many more records match. */
const MoreResults = ({ offered, total }: { offered: number; total: number }) =>
  total > offered ? (
    <Combobox.Footer className="choice-more">
      {offered} of {total.toLocaleString()}: type to find others
    </Combobox.Footer>
  ) : null;

const RecordOption = ({ source, record }: { source: RecordSource; record: SearchableRecord }) => {
  const detail = source.detailOf?.(record) ?? "";
  return (
    <Combobox.Option value={String(record.id)} {...(detail !== "" && { "aria-description": detail })}>
      {source.nameOf(record)}
      {/* Drawn beside the name, not a part of it. */}
      {detail !== "" && <span className="choice-detail" data-detail={detail} />}
    </Combobox.Option>
  );
};

/**
 * A choice of one record among any number: the server searches as one types. A name that is typed in full is chosen,
 * too; other text gives way to the name of the chosen record when the field is left.
 */
export const RecordSearch = ({
  source,
  value,
  onChange,
  filters,
  excludedIds = [],
  isFilter = false,
  ...input
}: RecordSearchProps) => {
  const list = useCombobox({
    onDropdownOpen: () => scrollForDropdown(list.targetRef.current),
    onDropdownClose: () => list.resetSelectedOption(),
  });
  const [chosen, setChosen] = useState<SearchableRecord | null>(null);
  // What was chosen here is known; else it is read.
  const isKnown = chosen !== null && String(chosen.id) === value;
  const readName = useRecordName(source, isKnown ? "" : value);
  const name = isKnown ? source.nameOf(chosen) : readName;
  const [typed, setTyped] = useState<string | null>(null);
  const [isBlurred, setBlurred] = useState(false);
  const [searchText] = useDebouncedValue((typed ?? "").trim(), DEBOUNCE_MS);
  const found = useRecordSearch(source, {
    searchText,
    ...(filters !== undefined && { filters }),
    enabled: list.dropdownOpened || typed !== null,
  });
  const isCurrent = found.isCurrent && searchText === (typed ?? "").trim();
  const records = found.records.filter(({ id }) => !excludedIds.includes(id));

  const choose = (id: string): void => {
    setTyped(null);
    setChosen(records.find((record) => String(record.id) === id) ?? null);
    list.closeDropdown();
    if (id !== value) onChange(id);
  };
  const isTyped = (record: SearchableRecord): boolean =>
    source.nameOf(record).toLowerCase() === searchText.toLowerCase();
  /** Chooses the record if the input is the name of exactly one. */
  const chooseIfNamed = (): void => {
    const [only, ...others] = records.filter(isTyped);
    if (only !== undefined && others.length === 0) choose(String(only.id));
    else setTyped(null);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the answer is there
  useEffect(() => {
    if (!isCurrent || typed === null) return;
    if (isBlurred) chooseIfNamed();
    // A number in a name is also the number of another record, which may be found before.
    else if (searchText !== "") list.selectOption(Math.max(0, records.findIndex(isTyped)));
  }, [isCurrent, isBlurred, typed, found.records]);

  return (
    <Combobox
      store={list}
      // In a dialog nothing outside of it is there for readers of the screen.
      withinPortal={false}
      keepMounted={false}
      position="bottom-start"
      width={isFilter ? MIN_WIDTH_PX : "target"}
      // Above the buttons of a form: it is gone when they are wanted.
      zIndex={6}
      transitionProps={{ duration: 0 }}
      onOptionSubmit={choose}
    >
      <Combobox.Target withExpandedAttribute autoComplete="off">
        <TextInput
          {...input}
          aria-autocomplete="list"
          value={typed ?? (value === "" ? "" : name)}
          onChange={({ currentTarget: { value: text } }) => {
            setTyped(text);
            list.openDropdown();
            list.resetSelectedOption();
            if (text.trim() === "" && value !== "") onChange("");
          }}
          onFocus={(event: FocusEvent<HTMLInputElement>) => {
            setBlurred(false);
            event.currentTarget.select();
          }}
          onClick={() => list.openDropdown()}
          onKeyDown={(event: KeyboardEvent) => {
            if (event.key === "Escape") setTyped(null);
            // It would send the form before the answer is there.
            if (event.key === "Enter" && typed !== null) event.preventDefault();
          }}
          onBlur={() => {
            setBlurred(true);
            list.closeDropdown();
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown className="choice">
        {/* Not named as the field is: the field's name leads to the field. */}
        <Combobox.Options aria-label={`What matches: ${source.noun}s`} aria-busy={!isCurrent}>
          {records.map((record) => (
            <RecordOption key={record.id} source={source} record={record} />
          ))}
          {records.length === 0 && (
            <Combobox.Option value="" disabled>
              {isCurrent ? `No ${source.noun} matches` : "Searching…"}
            </Combobox.Option>
          )}
        </Combobox.Options>
        <MoreResults offered={found.records.length} total={found.total} />
      </Combobox.Dropdown>
    </Combobox>
  );
};
