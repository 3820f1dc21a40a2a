import { createContext, useCallback, useContext, useLayoutEffect, useRef } from "react";
import type { AroundNavHandler } from "wouter";

/** What an open form would lose. */
interface OpenForm {
  isChanged: boolean;
  /** True while it is being sent: what follows then is the portal's doing. */
  isSending: boolean;
  /** True once its user has given it up. */
  isDiscarded: boolean;
  /** The page on which it is. */
  address: string;
}

/** The open forms, and the question before what was typed in them is lost. */
export interface UnsavedForms {
  readonly openForms: Set<OpenForm>;
  /** Asks whether changes may be discarded, and goes on only if so. */
  askToDiscard(proceed: () => void): void;
}

/** The forms that somebody watches over. */
export const UnsavedContext = createContext<UnsavedForms>({ openForms: new Set(), askToDiscard: (goOn) => goOn() });

/** True for a form whose changes would be lost. */
export const hasUnsavedChanges = ({ isChanged, isDiscarded }: OpenForm): boolean => isChanged && !isDiscarded;
/** The path of an address. */
export const pathnameOf = (address: string): string => new URL(address, window.location.href).pathname;

/** Makes the page ask before it is left, as long as something is changed. */
export const useOpenForm = (isChanged: boolean, isSending: boolean): void => {
  const { openForms } = useContext(UnsavedContext);
  const guard = useRef<OpenForm>({ isChanged: false, isSending: false, isDiscarded: false, address: "" });
  useLayoutEffect(() => {
    Object.assign(guard.current, { isChanged, isSending, address: window.location.href });
  }, [isChanged, isSending]);
  useLayoutEffect(() => {
    const own = guard.current;
    openForms.add(own);
    return () => void openForms.delete(own);
  }, [openForms]);
};

/** Does something that loses what was typed: at once when nothing was, otherwise after asking. */
export const useConfirmDiscard = (): ((isChanged: boolean, goOn: () => void) => void) => {
  const { askToDiscard } = useContext(UnsavedContext);
  return useCallback((isChanged, goOn) => (isChanged ? askToDiscard(goOn) : goOn()), [askToDiscard]);
};

/** Does something that closes every form, such as signing out; asks first if any has changes. */
export const useConfirmDiscardAll = (): ((goOn: () => void) => void) => {
  const { openForms, askToDiscard } = useContext(UnsavedContext);
  return useCallback(
    (goOn) => {
      const discard = (): void => {
        for (const guard of openForms) guard.isDiscarded = true;
        goOn();
      };
      if ([...openForms].some(hasUnsavedChanges)) askToDiscard(discard);
      else goOn();
    },
    [openForms, askToDiscard],
  );
};

/** Tells whether any open form has changes. */
export const useHasUnsaved = (): (() => boolean) => {
  const { openForms } = useContext(UnsavedContext);
  return useCallback(() => [...openForms].some(hasUnsavedChanges), [openForms]);
};

/** A router's `aroundNav` that asks first when another page is gone to. */
export const useGuardedNavigation = (base: string): AroundNavHandler => {
  const { openForms, askToDiscard } = useContext(UnsavedContext);
  return useCallback(
    (navigate, to, options) => {
      const stays = pathnameOf(base + to) === window.location.pathname;
      const loses = [...openForms].some((guard) => hasUnsavedChanges(guard) && !guard.isSending);
      if (stays || !loses) navigate(to, options);
      else askToDiscard(() => navigate(to, options));
    },
    [openForms, askToDiscard, base],
  );
};
