import { type PointerEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { idsAfterMove } from "./photo-order.ts";

/** A pointer that moves less is a click. */
const CLICK_PX = 6;

/** Where an image is being dragged from, and how the images stand meanwhile. */
interface Drag {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  /** `null` until the pointer has moved far enough. */
  readonly ids: readonly number[] | null;
}

const imageUnder = ({ clientX, clientY }: globalThis.PointerEvent): number | null => {
  const item = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>("[data-image-id]");
  return item === null || item === undefined ? null : Number(item.dataset.imageId);
};

/**
 * Lets images be dragged to other places with a mouse, a pen or a finger. The images follow while they are dragged;
 * Escape puts them back.
 */
export const useDragToOrder = (ids: readonly number[], onDrop: (id: number, ids: readonly number[]) => void) => {
  const [drag, setDrag] = useState<Drag | null>(null);
  const wasDragged = useRef(false);
  const move = useEffectEvent((event: globalThis.PointerEvent): void => {
    if (drag === null) return;
    const far = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) >= CLICK_PX;
    if (drag.ids === null && !far) return;
    const present = drag.ids ?? ids;
    const over = imageUnder(event);
    const moved = over === null || over === drag.id ? present : idsAfterMove(present, drag.id, present.indexOf(over));
    setDrag({ ...drag, ids: moved });
  });
  const end = useEffectEvent((): void => {
    setDrag(null);
    if (drag?.ids == null) return;
    wasDragged.current = true;
    if (drag.ids.join() !== ids.join()) onDrop(drag.id, drag.ids);
  });
  const isDragging = drag !== null;
  useEffect(() => {
    if (!isDragging) return;
    const listeners = new AbortController();
    // Elements move while they are dragged, so that none of them could keep the pointer.
    window.addEventListener("pointermove", (event) => move(event), listeners);
    window.addEventListener("pointerup", () => end(), listeners);
    window.addEventListener("pointercancel", () => setDrag(null), listeners);
    window.addEventListener("keydown", ({ key }) => key === "Escape" && setDrag(null), listeners);
    return () => listeners.abort();
  }, [isDragging]);
  return {
    dragged: drag?.ids == null ? null : drag.id,
    shownIds: drag?.ids ?? ids,
    start(id: number, event: PointerEvent): void {
      wasDragged.current = false;
      if (event.button === 0) setDrag({ id, x: event.clientX, y: event.clientY, ids: null });
    },
    /** True once, if a click is the end of a drag. */
    endsDrag(): boolean {
      const { current } = wasDragged;
      wasDragged.current = false;
      return current;
    },
  };
};
