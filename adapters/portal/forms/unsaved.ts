import { createContext, useCallback, useContext, useLayoutEffect, useRef } from "react";
import type { AroundNavHandler } from "wouter";

/** What would be lost: text that was typed, or files that are being sent. */
type Unsaved = "typed" | "sending";

/** An open form with its unsaved changes. */
interface OpenForm {
  readonly holds: Unsaved;
  isChanged: boolean;
  /** True while the form is sent: navigation after that is intended. */
  isSending: boolean;
  /** True once the user discarded the changes. */
  isDiscarded: boolean;
  /** The address of its page. */
  address: string;
}

/** The open forms, and a question that protects their changes. */
export interface UnsavedForms {
  readonly openForms: Set<OpenForm>;
  /** Asks whether to discard changes, and continues only if so. */
  askToDiscard(proceed: () => void): void;
}

/** The open forms of the page. */
export const UnsavedContext = createContext<UnsavedForms>({ openForms: new Set(), askToDiscard: (goOn) => goOn() });

/** True for a form whose changes would be lost. */
export const hasUnsavedChanges = ({ isChanged, isDiscarded }: OpenForm): boolean => isChanged && !isDiscarded;
/** What the open forms would lose: what was typed, if there is any. */
export const unsavedIn = (openForms: Iterable<OpenForm>): Unsaved => {
  const unsaved = [...openForms].filter(hasUnsavedChanges);
  return unsaved.length > 0 && unsaved.every(({ holds }) => holds === "sending") ? "sending" : "typed";
};
/** The path of an address. */
export const pathnameOf = (address: string): string => new URL(address, window.location.href).pathname;

/** Registers an open form, so that the page asks before its changes are lost. */
export const useOpenForm = (isChanged: boolean, isSending: boolean, holds: Unsaved = "typed"): void => {
  const { openForms } = useContext(UnsavedContext);
  const formRef = useRef<OpenForm>({ holds, isChanged: false, isSending: false, isDiscarded: false, address: "" });
  useLayoutEffect(() => {
    Object.assign(formRef.current, { isChanged, isSending, address: window.location.href });
  }, [isChanged, isSending]);
  useLayoutEffect(() => {
    const form = formRef.current;
    openForms.add(form);
    return () => void openForms.delete(form);
  }, [openForms]);
};

/** Runs an action that discards input: immediately without changes, otherwise after confirmation. */
export const useConfirmDiscard = (): ((isChanged: boolean, goOn: () => void) => void) => {
  const { askToDiscard } = useContext(UnsavedContext);
  return useCallback((isChanged, goOn) => (isChanged ? askToDiscard(goOn) : goOn()), [askToDiscard]);
};

/** Runs an action that closes every form, such as signing out; asks first if any form has changes. */
export const useConfirmDiscardAll = (): ((goOn: () => void) => void) => {
  const { openForms, askToDiscard } = useContext(UnsavedContext);
  return useCallback(
    (goOn) => {
      const discard = (): void => {
        for (const form of openForms) form.isDiscarded = true;
        goOn();
      };
      if ([...openForms].some(hasUnsavedChanges)) askToDiscard(discard);
      else goOn();
    },
    [openForms, askToDiscard],
  );
};

/** Returns a function that says whether any open form has changes. */
export const useHasUnsaved = (): (() => boolean) => {
  const { openForms } = useContext(UnsavedContext);
  return useCallback(() => [...openForms].some(hasUnsavedChanges), [openForms]);
};

/** A router's `aroundNav` that asks before another page replaces unsaved changes. */
export const useGuardedNavigation = (base: string): AroundNavHandler => {
  const { openForms, askToDiscard } = useContext(UnsavedContext);
  return useCallback(
    (navigate, to, options) => {
      const stays = pathnameOf(base + to) === window.location.pathname;
      const loses = [...openForms].some((form) => hasUnsavedChanges(form) && !form.isSending);
      if (stays || !loses) navigate(to, options);
      else askToDiscard(() => navigate(to, options));
    },
    [openForms, askToDiscard, base],
  );
};
