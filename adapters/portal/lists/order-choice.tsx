import { NativeSelect } from "@mantine/core";
import type { Column, Sorting } from "./record-table.tsx";

const ORDERS = [
  ["asc", "ascending"],
  ["desc", "descending"],
] as const;

/** A choice of the order, on narrow windows, where no headings are. */
export const OrderChoice = <Row,>({ columns, sorting }: { columns: readonly Column<Row>[]; sorting: Sorting }) => {
  const offered = columns.flatMap(({ head, sort }) =>
    sort === undefined
      ? []
      : ORDERS.map(([order, word]) => ({ sort, order, value: `${sort} ${order}`, label: `${head}, ${word}` })),
  );
  const value = `${sorting.by} ${sorting.order}`;
  const isOffered = offered.some((one) => one.value === value);
  return (
    <NativeSelect
      className="filter only-narrow"
      size="xs"
      label="Order"
      value={value}
      onChange={({ currentTarget }) => {
        const chosen = offered.find((one) => one.value === currentTarget.value);
        if (chosen !== undefined) sorting.onChange(chosen.sort, chosen.order);
      }}
      data={[
        ...(isOffered ? [] : [{ value, label: "Newest first" }]),
        ...offered.map(({ value, label }) => ({ value, label })),
      ]}
    />
  );
};
