import { useLayoutEffect, useRef } from "react";

/**
 * Keeps the focus within a part of the page: when the element that had it goes, as a row does that is deleted, the part
 * itself takes it. The part needs `tabIndex={-1}`.
 */
export const useKeptFocus = <Part extends HTMLElement>() => {
  const part = useRef<Part>(null);
  // Asked before the change is made to the page: afterwards nothing has the focus.
  const hadFocus = part.current?.contains(document.activeElement) ?? false;
  useLayoutEffect(() => {
    if (hadFocus && document.activeElement === document.body) part.current?.focus();
  });
  return part;
};
