import { Button, Group, NativeSelect, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { ListState } from "./list-state.ts";

const PAUSE_MS = 150;

interface FilterProps {
  readonly list: ListState;
  readonly name: string;
  readonly label: string;
}

/** The filters above a list, with a button to clear them. */
export const Filters = ({ list, children }: { list: ListState; children: ReactNode }) => (
  <Group component="search" align="flex-end" gap="sm" className="filters">
    {children}
    {list.isFiltered && (
      <Button variant="subtle" onClick={list.clear}>
        Clear filters
      </Button>
    )}
  </Group>
);

/** A filter with a few options, or any. */
export const ChoiceFilter = ({
  list,
  name,
  label,
  options,
}: FilterProps & { options: readonly (readonly [word: string, label: string])[] }) => (
  <NativeSelect
    label={label}
    value={list.filter(name)}
    onChange={(event) => list.setFilters({ [name]: event.currentTarget.value })}
    data={[{ value: "", label: "Any" }, ...options.map(([value, text]) => ({ value, label: text }))]}
  />
);

/** A text filter; the list updates after a short pause. */
export const TextFilter = ({
  list,
  name,
  label,
  type,
  wide,
}: FilterProps & { type?: "search" | "date" | "number"; wide?: boolean }) => {
  const applied = list.filter(name);
  const [typed, setTyped] = useState(applied);
  const sent = useRef(applied);
  const apply = useDebouncedCallback((value: string) => {
    sent.current = value;
    list.setFilters({ [name]: value });
  }, PAUSE_MS);
  // The filter changed elsewhere: by a link, the back button, or the clear button.
  useEffect(() => {
    if (applied === sent.current) return;
    sent.current = applied;
    setTyped(applied);
  }, [applied]);
  return (
    <TextInput
      label={label}
      type={type ?? "text"}
      value={typed}
      autoComplete="off"
      {...(wide && { className: "wide-filter" })}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value);
        apply(value.trim());
      }}
    />
  );
};
