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

/** The filters above a list, and a way to be rid of them. */
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

/** One of a few words, or any. */
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

/** Typed text; the list follows after a short pause. */
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
  // Somebody else changed it: a link, the way back, or all filters cleared.
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
