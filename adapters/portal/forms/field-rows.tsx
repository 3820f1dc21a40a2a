import { Button, Group, Stack } from "@mantine/core";
import type { ReactNode } from "react";

interface FieldRowsProps<Row extends { readonly id: number }> {
  /** What buttons call a row, as in "Add a network". */
  readonly noun: string;
  readonly rows: readonly Row[];
  readonly onChange: (rows: readonly Row[]) => void;
  /** A new row; no other row has its id. */
  readonly newRow: (id: number) => Row;
  /** The fields of a row, from the row, its number from 1, and a function that changes it. */
  readonly renderFields: (row: Row, number: number, set: (changes: Partial<Row>) => void) => ReactNode;
}

/** Rows of fields that users add and remove. */
export const FieldRows = <Row extends { readonly id: number }>({
  noun,
  rows,
  onChange,
  newRow,
  renderFields,
}: FieldRowsProps<Row>) => {
  const nextId = Math.max(0, ...rows.map(({ id }) => id)) + 1;
  const setIn =
    ({ id }: Row) =>
    (changes: Partial<Row>): void =>
      onChange(rows.map((row) => (row.id === id ? { ...row, ...changes } : row)));
  return (
    <Stack gap="sm">
      {rows.map((row, at) => (
        <Group key={row.id} align="flex-end" gap="sm">
          {renderFields(row, at + 1, setIn(row))}
          <Button
            variant="default"
            aria-label={`Remove ${noun} ${at + 1}`}
            onClick={() => onChange(rows.filter(({ id }) => id !== row.id))}
          >
            Remove
          </Button>
        </Group>
      ))}
      <Group>
        <Button variant="default" size="compact-sm" onClick={() => onChange([...rows, newRow(nextId)])}>
          Add a {noun}
        </Button>
      </Group>
    </Stack>
  );
};
