import { useEffect } from "react";

const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";
const canHaveFocus = (element: Element): element is HTMLElement =>
  element instanceof HTMLElement && element.isConnected && !element.matches(":disabled, [inert] *");

/** An element and what is around it, so that something near it can have the focus when it is gone. */
export type FocusPath = readonly Element[];

/** Where an element is now. */
export const focusPathOf = (element: Element | null): FocusPath => {
  const path: Element[] = [];
  for (let at = element; at !== null && at !== document.body; at = at.parentElement) path.push(at);
  return path;
};

/** Gives the focus to the element of a path, or to the nearest thing that is left there; at last to the content. */
export const restoreFocus = (path: FocusPath): void => {
  const [element, ...around] = path;
  // It is only switched off until the answer is there.
  if (element?.isConnected && element.matches("[data-loading]")) return;
  const remaining = around.find((ancestor) => ancestor.isConnected);
  const nearby = remaining === undefined ? [] : [...remaining.querySelectorAll(FOCUSABLE)];
  const main = document.querySelector("main");
  const next = [element, ...nearby, main].find((one) => one !== undefined && one !== null && canHaveFocus(one));
  if (next instanceof HTMLElement) next.focus();
};

/** Keeps the focus on the page: when what has it is removed, moved or switched off, something near it has it next. */
export const useFocusRecovery = (): void => {
  useEffect(() => {
    let path: FocusPath = [];
    const remember = (event: FocusEvent): void => {
      if (event.target instanceof Element) path = focusPathOf(event.target);
    };
    // A click beside everything leaves the focus nowhere, on purpose.
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
