import { Button, Group, Text } from "@mantine/core";
import { type ReactNode, useLayoutEffect, useMemo, useState } from "react";
import { Covered, Dialog } from "./dialog.tsx";
import { isHeld, pageOf, type Unsaved, UnsavedContext } from "./unsaved.ts";

/** Stays on the page when the browser goes back or forward from changes, and asks. */
const watchHistory = ({ guards, ask }: Unsaved): (() => void) => {
  let isAllowed = false;
  const onPop = (event: PopStateEvent): void => {
    const held = [...guards].find((guard) => isHeld(guard) && pageOf(guard.address) !== window.location.pathname);
    if (isAllowed || held === undefined) {
      isAllowed = false;
      return;
    }
    event.stopImmediatePropagation();
    // The browser has already gone there: the entry after that one is this page again.
    window.history.pushState(null, "", held.address);
    ask(() => {
      isAllowed = true;
      window.history.back();
    });
  };
  const onUnload = (event: BeforeUnloadEvent): void => {
    if ([...guards].some(isHeld)) event.preventDefault();
  };
  window.addEventListener("popstate", onPop, true);
  window.addEventListener("beforeunload", onUnload);
  return () => {
    window.removeEventListener("popstate", onPop, true);
    window.removeEventListener("beforeunload", onUnload);
  };
};

/** Watches over the forms within: whatever would lose what was typed asks first. */
export const UnsavedChanges = ({ children }: { children: ReactNode }) => {
  const [goOn, setGoOn] = useState<(() => void) | null>(null);
  const unsaved = useMemo<Unsaved>(() => ({ guards: new Set(), ask: (next) => setGoOn(() => next) }), []);
  // Before the router listens, which it does in an effect: who listens first can stop an event for the others.
  useLayoutEffect(() => watchHistory(unsaved), [unsaved]);
  const keep = (): void => setGoOn(null);
  const discard = (): void => {
    keep();
    goOn?.();
  };
  return (
    <UnsavedContext value={unsaved}>
      <Covered value={goOn !== null}>{children}</Covered>
      {goOn !== null && (
        <Dialog title="Discard changes?" onClose={keep} size="sm" over>
          <Text size="sm" mb="md">
            What you have typed here is not saved.
          </Text>
          <Group>
            <Button variant="default" onClick={keep} data-autofocus>
              Keep editing
            </Button>
            <Button color="red" onClick={discard}>
              Discard
            </Button>
          </Group>
        </Dialog>
      )}
    </UnsavedContext>
  );
};
