import { Button, Group, Text } from "@mantine/core";
import { type ReactNode, useLayoutEffect, useMemo, useState } from "react";
import { BehindDialog, Dialog } from "./dialog.tsx";
import { hasUnsavedChanges, pathnameOf, UnsavedContext, type UnsavedForms, unsavedIn } from "./unsaved.ts";

/** Asks before the browser goes back or forward from unsaved changes; stays on the page until then. */
const watchHistory = ({ openForms, askToDiscard }: UnsavedForms): (() => void) => {
  let isAllowed = false;
  const onPop = (event: PopStateEvent): void => {
    const form = [...openForms].find(
      (guard) => hasUnsavedChanges(guard) && pathnameOf(guard.address) !== window.location.pathname,
    );
    if (isAllowed || form === undefined) {
      isAllowed = false;
      return;
    }
    event.stopImmediatePropagation();
    // The browser has already left: a new history entry brings this page back.
    window.history.pushState(null, "", form.address);
    askToDiscard(() => {
      isAllowed = true;
      window.history.back();
    });
  };
  const onUnload = (event: BeforeUnloadEvent): void => {
    if ([...openForms].some(hasUnsavedChanges)) event.preventDefault();
  };
  window.addEventListener("popstate", onPop, true);
  window.addEventListener("beforeunload", onUnload);
  return () => {
    window.removeEventListener("popstate", onPop, true);
    window.removeEventListener("beforeunload", onUnload);
  };
};

const QUESTIONS = {
  typed: {
    title: "Discard changes?",
    text: "What you have typed here is not saved.",
    keep: "Keep editing",
    discard: "Discard",
  },
  sending: {
    title: "Stop sending photos?",
    text: "Photos that have not arrived yet will not be added. Those that have are kept.",
    keep: "Keep sending",
    discard: "Stop",
  },
} as const;

/** Guards the forms within it: asks before anything that would lose their input. */
export const UnsavedChanges = ({ children }: { children: ReactNode }) => {
  const [proceed, setProceed] = useState<(() => void) | null>(null);
  const unsaved = useMemo<UnsavedForms>(
    () => ({ openForms: new Set(), askToDiscard: (next) => setProceed(() => next) }),
    [],
  );
  // The router listens in an effect; listening earlier lets this stop the event.
  useLayoutEffect(() => watchHistory(unsaved), [unsaved]);
  const keep = (): void => setProceed(null);
  const discard = (): void => {
    keep();
    proceed?.();
  };
  const question = QUESTIONS[unsavedIn(unsaved.openForms)];
  return (
    <UnsavedContext value={unsaved}>
      <BehindDialog value={proceed !== null}>{children}</BehindDialog>
      {proceed !== null && (
        <Dialog title={question.title} onClose={keep} size="sm" isOnTop>
          <Text size="sm" mb="md">
            {question.text}
          </Text>
          <Group>
            <Button variant="default" onClick={keep} data-autofocus>
              {question.keep}
            </Button>
            <Button color="red" onClick={discard}>
              {question.discard}
            </Button>
          </Group>
        </Dialog>
      )}
    </UnsavedContext>
  );
};
