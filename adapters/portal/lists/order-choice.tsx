import { NativeSelect } from "@mantine/core";
import type { Column, Sorting } from "./record-table.tsx";

const ORDERS = [
  ["asc", "ascending"],
  ["desc", "descending"],
] as const;

const AGES = [
  ["desc", "Newest first"],
  ["asc", "Oldest first"],
] as const;

/** A choice of the order, on narrow windows, where no headings are. */
export const OrderChoice = <Row,>({ columns, sorting }: { columns: readonly Column<Row>[]; sorting: Sorting }) => {
  const ofColumns = columns.flatMap(({ head, sort }) =>
    sort === undefined
      ? []
      : ORDERS.map(([order, word]) => ({ sort, order, value: `${sort} ${order}`, label: `${head}, ${word}` })),
  );
  // The usual order is by when records were made, which is not always a column.
  const hasUsual = columns.some(({ sort }) => sort === sorting.usually);
  const offered = hasUsual
    ? ofColumns
    : [
        ...AGES.map(([order, label]) => ({
          sort: sorting.usually,
          order,
          value: `${sorting.usually} ${order}`,
          label,
        })),
        ...ofColumns,
      ];
  return (
    <NativeSelect
      className="filter only-narrow"
      size="xs"
      label="Order"
      value={`${sorting.by} ${sorting.order}`}
      onChange={({ currentTarget }) => {
        const chosen = offered.find((one) => one.value === currentTarget.value);
        if (chosen !== undefined) sorting.onChange(chosen.sort, chosen.order);
      }}
      data={offered.map(({ value, label }) => ({ value, label }))}
    />
  );
};
