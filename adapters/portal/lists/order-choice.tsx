import { NativeSelect } from "@mantine/core";
import type { Column, Sorting } from "./record-table.tsx";

const ORDERS = [
  ["asc", "ascending"],
  ["desc", "descending"],
] as const;

/** By creation time: every list offers it, and most lists start with it. */
const BY_AGE = [
  { sort: "created", order: "desc", label: "Newest first" },
  { sort: "created", order: "asc", label: "Oldest first" },
] as const;

/** A choice of the order where column headings are hidden: on narrow windows and with cards. */
export const OrderChoice = <Row,>({ columns, sorting }: { columns: readonly Column<Row>[]; sorting: Sorting }) => {
  const others = columns.flatMap(({ head, sort }) =>
    sort === undefined || sort === "created"
      ? []
      : ORDERS.map(([order, word]) => ({ sort, order, label: `${head}, ${word}` })),
  );
  const offered = [...BY_AGE, ...others].map((one) => ({ ...one, value: `${one.sort} ${one.order}` }));
  return (
    <NativeSelect
      className="filter only-narrow order-choice"
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
