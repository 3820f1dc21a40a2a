import { type PointerEvent, useRef } from "react";

/** So many pixels to a side are a swipe. */
const FAR = 90;

interface Swipes {
  readonly onLeft: (() => void) | null;
  readonly onRight: () => void;
}

/** Moves a card with the finger; far enough to a side, it is a swipe. For touch: buttons do the same. */
export const useSwipe = ({ onLeft, onRight }: Swipes) => {
  const start = useRef<number | null>(null);
  const move = ({ currentTarget }: PointerEvent<HTMLElement>, by: number): void => {
    const side = Math.abs(by) < FAR ? "" : by < 0 ? "left" : "right";
    currentTarget.style.transform = by === 0 ? "" : `translateX(${by}px)`;
    currentTarget.dataset.swipe = side === "left" && onLeft === null ? "" : side;
  };
  const end = (event: PointerEvent<HTMLElement>): void => {
    const by = start.current === null ? 0 : event.clientX - start.current;
    start.current = null;
    move(event, 0);
    if (by <= -FAR) onLeft?.();
    if (by >= FAR) onRight();
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>): void => {
      if (event.pointerType === "mouse") return;
      start.current = event.clientX;
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>): void => {
      if (start.current !== null) move(event, event.clientX - start.current);
    },
    onPointerUp: end,
    onPointerCancel: (event: PointerEvent<HTMLElement>): void => {
      start.current = null;
      move(event, 0);
    },
  };
};
