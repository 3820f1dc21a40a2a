import { Button, Drawer } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import type { ReactNode } from "react";

/** True if the window is wide enough for filters next to a list. */
export const useHasRoomForFilters = (): boolean =>
  useMediaQuery("(min-width: 75em)", undefined, { getInitialValueInEffect: false });

interface ListWithFiltersProps {
  readonly hasRoom: boolean;
  /** True while the drawer is open; it replaces the panel on narrow windows. */
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly filters: ReactNode;
  /** The list. */
  readonly children: ReactNode;
}

/** Filters at the left of a list; in a drawer on narrow windows. */
export const ListWithFilters = ({ hasRoom, isOpen, onClose, filters, children }: ListWithFiltersProps) => (
  <div className="with-filters">
    {/* The list comes first, so that the keyboard reaches its search before the many filters. */}
    {children}
    {hasRoom && (
      <section className="filter-panel" aria-label="Filters">
        {filters}
      </section>
    )}
    {!hasRoom && (
      <Drawer
        opened={isOpen}
        onClose={onClose}
        title="Filters"
        size="min(360px, 100%)"
        transitionProps={{ duration: 0 }}
        closeButtonProps={{ "aria-label": "Close" }}
        attributes={{ header: { role: "none" } }}
      >
        {filters}
        <div className="form-actions">
          <Button fullWidth onClick={onClose}>
            Show the list
          </Button>
        </div>
      </Drawer>
    )}
  </div>
);
