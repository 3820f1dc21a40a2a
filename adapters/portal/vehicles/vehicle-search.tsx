import { Combobox, TextInput, useCombobox } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import type { Suggestion } from "../../../core/suggestions/suggestion.ts";
import { useRecord } from "../api/queries.ts";
import { searchInputProps, useTypedFilter } from "../lists/filters.tsx";
import type { ListState } from "../lists/list-state.ts";
import { formatCount } from "../page/figures.tsx";
import { isSearchable, withSuggestion } from "./vehicle-words.ts";

const DEBOUNCE_MS = 150;
const MAX_SUGGESTIONS = 8;
const STALE_MS = 60_000;
const MAX_LENGTH = 200;

/** The search field above a list of vehicles; it suggests completions of the last word. */
export const VehicleSearch = ({ list, search }: { list: ListState; search: string }) => {
  const options = useCombobox({ onDropdownClose: () => options.resetSelectedOption() });
  const { input, setNow } = useTypedFilter(list, "q");
  const [words] = useDebouncedValue(input.value.trim().slice(0, MAX_LENGTH), DEBOUNCE_MS);
  const { data } = useRecord<readonly Suggestion[]>(
    "/vehicles/suggestions",
    { q: words, limit: MAX_SUGGESTIONS },
    { enabled: isSearchable(words) && options.dropdownOpened, staleMs: STALE_MS },
  );
  const offered = words === input.value.trim() && words !== "" ? (data ?? []) : [];
  return (
    <Combobox
      store={options}
      withinPortal={false}
      keepMounted={false}
      zIndex={6}
      transitionProps={{ duration: 0 }}
      onOptionSubmit={(text) => {
        setNow(withSuggestion(input.value, text));
        options.closeDropdown();
      }}
    >
      <Combobox.Target autoComplete="off">
        <TextInput
          {...searchInputProps(search)}
          {...input}
          onChange={(event) => {
            input.onChange(event);
            options.openDropdown();
            options.resetSelectedOption();
          }}
          onKeyDown={(event) => {
            // It closes the suggestions; the browser would also empty the field.
            if (event.key === "Escape" && options.dropdownOpened && offered.length > 0) event.preventDefault();
          }}
          onBlur={() => {
            input.onBlur();
            options.closeDropdown();
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown className="choice" hidden={offered.length === 0}>
        <Combobox.Options aria-label="Suggestions">
          {offered.map(({ text, kind, count }) => (
            <Combobox.Option key={`${kind} ${text}`} value={text} aria-description={formatCount(count, "vehicle")}>
              {text}
              <span className="choice-detail" data-detail={formatCount(count, "vehicle")} />
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
};
