import { Combobox, TextInput, useCombobox } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import type { Suggestion } from "../../../core/suggestions/suggestion.ts";
import { useRecord } from "../api/queries.ts";
import { searchLook, useTyped } from "../lists/filters.tsx";
import type { ListState } from "../lists/list-state.ts";
import { counted } from "../shell/figures.tsx";
import { completed, isSearchable } from "./vehicle-words.ts";

const PAUSE_MS = 150;
const MOST_OFFERED = 8;
const STALE_MS = 60_000;
const LONGEST = 200;

/** The field for words above a list of vehicles, which suggests what the last word may become. */
export const VehicleSearch = ({ list, search }: { list: ListState; search: string }) => {
  const options = useCombobox({ onDropdownClose: () => options.resetSelectedOption() });
  const { input, take } = useTyped(list, "q");
  const [words] = useDebouncedValue(input.value.trim().slice(0, LONGEST), PAUSE_MS);
  const { data } = useRecord<readonly Suggestion[]>(
    "/vehicles/suggestions",
    { q: words, limit: MOST_OFFERED },
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
        take(completed(input.value, text));
        options.closeDropdown();
      }}
    >
      <Combobox.Target autoComplete="off">
        <TextInput
          {...searchLook(search)}
          {...input}
          onChange={(event) => {
            input.onChange(event);
            options.openDropdown();
            options.resetSelectedOption();
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
            <Combobox.Option key={`${kind} ${text}`} value={text} aria-description={counted(count, "vehicle")}>
              {text}
              <span className="choice-detail" data-detail={counted(count, "vehicle")} />
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
};
