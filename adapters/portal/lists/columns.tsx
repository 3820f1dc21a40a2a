import { Button, Checkbox, Popover, Stack } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { IconColumns3 } from "@tabler/icons-react";
import { useMemo } from "react";
import type { Column } from "./record-table.tsx";

/** The visible columns, as chosen in this browser, and a function that shows or hides one. */
export const useColumns = <Row,>(name: string, columns: readonly Column<Row>[]) => {
  const [chosen, setChosen] = useLocalStorage<Readonly<Record<string, boolean>>>({
    key: `portal-columns-${name}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  const isShown = ({ head, hiddenByDefault }: Column<Row>): boolean => chosen[head] ?? !hiddenByDefault;
  // biome-ignore lint/correctness/useExhaustiveDependencies: isShown depends on `chosen` only
  const shown = useMemo(() => columns.filter((column, at) => at === 0 || isShown(column)), [columns, chosen]);
  return {
    shown,
    isShown,
    show: ({ head }: Column<Row>, shown: boolean): void => setChosen({ ...chosen, [head]: shown }),
  };
};

interface ColumnChoiceProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly choice: ReturnType<typeof useColumns<Row>>;
}

/** A menu that shows and hides columns. The first column names the rows and always stays. */
export const ColumnChoice = <Row,>({ columns, choice }: ColumnChoiceProps<Row>) => (
  <Popover position="bottom-end" transitionProps={{ duration: 0 }} trapFocus returnFocus>
    <Popover.Target>
      <Button variant="subtle" color="gray" size="xs" leftSection={<IconColumns3 size={15} aria-hidden />}>
        Columns
      </Button>
    </Popover.Target>
    <Popover.Dropdown aria-label="Columns">
      <Stack gap={8}>
        {columns.slice(1).map((column) => (
          <Checkbox
            key={column.head}
            size="xs"
            label={column.head}
            // Filters on the same page have the same names.
            aria-label={`Column ${column.head}`}
            checked={choice.isShown(column)}
            onChange={({ currentTarget }) => choice.show(column, currentTarget.checked)}
          />
        ))}
      </Stack>
    </Popover.Dropdown>
  </Popover>
);
