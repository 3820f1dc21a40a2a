import { ActionIcon } from "@mantine/core";
import { IconLayoutGrid } from "@tabler/icons-react";
import type { ListState } from "./list-state.ts";

/** A button that switches between cards and a table. On narrow windows rows are always cards. */
export const LayoutToggle = ({ list }: { list: ListState }) => (
  <ActionIcon
    className="listing-look"
    variant={list.asCards ? "default" : "subtle"}
    {...(!list.asCards && { color: "gray" })}
    size={30}
    aria-label="Cards"
    title="Cards"
    aria-pressed={list.asCards}
    onClick={() => list.setAsCards(!list.asCards)}
  >
    <IconLayoutGrid size={16} aria-hidden />
  </ActionIcon>
);
