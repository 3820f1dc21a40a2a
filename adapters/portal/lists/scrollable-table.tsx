import { type ReactNode, useLayoutEffect, useRef, useState } from "react";

/** All columns are there; those that leave first have left; those that leave second, too. */
const ROOMS = [0, 1, 2] as const;
type Room = (typeof ROOMS)[number];

/**
 * How many columns have to leave so that a table fits into its frame, and whether it fits then. What each choice of
 * columns needs is remembered, so that they come back when there is room for them.
 */
const useRoom = () => {
  const ref = useRef<HTMLDivElement>(null);
  const needed = useRef<Partial<Record<Room, number>>>({});
  const [room, setRoom] = useState<Room>(0);
  const [fits, setFits] = useState(false);
  useLayoutEffect(() => {
    const frame = ref.current;
    const table = frame?.firstElementChild;
    if (!frame || !table) return;
    const measure = (): void => {
      const { clientWidth } = frame;
      const isTooWide = table.scrollWidth > clientWidth;
      if (isTooWide) needed.current[room] = table.scrollWidth;
      const next = ROOMS.find((one) => (needed.current[one] ?? 0) <= clientWidth) ?? 2;
      setRoom(next);
      if (next === room) setFits(!isTooWide);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(frame);
    observer.observe(table);
    return () => observer.disconnect();
  }, [room]);
  return { ref, room, fits };
};

/** Scrolls a wide element, also by keyboard. A group, because a page has too many of them for landmarks. */
export const ScrollableTable = ({ label, children }: { label: string; children: ReactNode }) => {
  const { ref, room, fits } = useRoom();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div
      ref={ref}
      role="group"
      className="table-scroll as-cards"
      aria-label={label}
      {...(room > 0 && { "data-short-of-room": room })}
      // Without it the keyboard cannot scroll here.
      {...(fits ? { "data-fits": true } : { tabIndex: 0 })}
    >
      {children}
    </div>
  );
};
