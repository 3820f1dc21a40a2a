import { useEffect } from "react";

const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";
const canHaveFocus = (element: Element): element is HTMLElement =>
  element instanceof HTMLElement && element.isConnected && !element.matches(":disabled, [inert] *");

/** An element and its ancestors: something near it can get the focus once it is removed. */
export type FocusPath = readonly Element[];

/** The focus path of an element. */
export const focusPathOf = (element: Element | null): FocusPath => {
  const path: Element[] = [];
  for (let at = element; at !== null && at !== document.body; at = at.parentElement) path.push(at);
  return path;
};

/** Focuses the element of a path, or the nearest focusable element that remains, or else the page's main part. */
export const restoreFocus = (path: FocusPath): void => {
  const [element, ...around] = path;
  // Only disabled until the answer arrives.
  if (element?.isConnected && element.matches("[data-loading]")) return;
  const remaining = around.find((ancestor) => ancestor.isConnected);
  const main = document.querySelector("main");
  // What is left contains the whole page: nothing of it is near, least of all the link that skips to the content.
  const isFar = remaining === undefined || (main !== null && remaining !== main && remaining.contains(main));
  const nearby = isFar ? [] : [...remaining.querySelectorAll(FOCUSABLE)];
  const next = [element, ...nearby, main].find((one) => one !== undefined && one !== null && canHaveFocus(one));
  if (next instanceof HTMLElement) next.focus();
};

/** Keeps the focus on the page: if its element is removed, moved or disabled, something near it gets the focus. */
export const useFocusRecovery = (): void => {
  useEffect(() => {
    let path: FocusPath = [];
    const remember = (event: FocusEvent): void => {
      if (event.target instanceof Element) path = focusPathOf(event.target);
    };
    // A click on an empty part of the page removes the focus on purpose.
    const forget = (): void => {
      path = [];
    };
    const observer = new MutationObserver(() => {
      const { activeElement } = document;
      const isLost = activeElement === null || activeElement === document.body || activeElement.matches(":disabled");
      if (isLost && path.length > 0) restoreFocus(path);
    });
    document.addEventListener("focusin", remember);
    document.addEventListener("pointerdown", forget, true);
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ["disabled"] });
    return () => {
      document.removeEventListener("focusin", remember);
      document.removeEventListener("pointerdown", forget, true);
      observer.disconnect();
    };
  }, []);
};
