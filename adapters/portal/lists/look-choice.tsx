import { Button } from "@mantine/core";
import { IconLayoutGrid } from "@tabler/icons-react";
import type { ListState } from "./list-state.ts";

/** A button that shows rows as cards, and as a table again; on narrow windows they always are cards. */
export const LookChoice = ({ list }: { list: ListState }) => (
  <Button
    className="listing-look"
    variant={list.asCards ? "light" : "subtle"}
    {...(!list.asCards && { color: "gray" })}
    size="xs"
    leftSection={<IconLayoutGrid size={15} aria-hidden />}
    aria-pressed={list.asCards}
    onClick={() => list.setAsCards(!list.asCards)}
  >
    Cards
  </Button>
);
