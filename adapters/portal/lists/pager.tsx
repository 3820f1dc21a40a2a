import { Group, NativeSelect, Pagination, Text } from "@mantine/core";
import { type ListState, PAGE_SIZES } from "./list-state.ts";

const figures = new Intl.NumberFormat();

/** The position in a list, with buttons for the other pages. */
export const Pager = ({ list, total, noun }: { list: ListState; total: number; noun: string }) => {
  const first = list.range.offset + 1;
  const last = Math.min(list.range.offset + list.size, total);
  return (
    <Group justify="space-between" component="nav" aria-label={`Pages of ${noun}`}>
      <Text size="sm" role="status">
        {first > total ? "Nothing" : `${figures.format(first)} to ${figures.format(last)}`} of {figures.format(total)}{" "}
        {noun}
      </Text>
      <Group gap="sm">
        <NativeSelect
          size="xs"
          aria-label={`${noun} a page`}
          value={String(list.size)}
          onChange={(event) => list.setSize(event.currentTarget.value)}
          data={PAGE_SIZES.map((size) => ({ value: size, label: `${size} a page` }))}
        />
        <Pagination
          size="sm"
          total={Math.max(1, Math.ceil(total / list.size))}
          value={list.page}
          onChange={list.setPage}
          siblings={0}
          getItemProps={(page) => ({ "aria-label": `Page ${page}` })}
          getControlProps={(control) => ({ "aria-label": control === "next" ? "Next page" : "Previous page" })}
        />
      </Group>
    </Group>
  );
};
