import { createContext, useCallback, useContext, useLayoutEffect, useRef } from "react";
import type { AroundNavHandler } from "wouter";

/** What an open form would lose. */
interface Guard {
  isChanged: boolean;
  /** True while it is being sent: what follows then is the portal's doing. */
  isSending: boolean;
  /** True once its user has given it up. */
  isDiscarded: boolean;
  /** The page on which it is. */
  address: string;
}

/** The open forms, and the question before what was typed in them is lost. */
export interface Unsaved {
  readonly guards: Set<Guard>;
  /** Asks whether changes may be discarded, and goes on only if so. */
  ask(goOn: () => void): void;
}

/** The forms that somebody watches over. */
export const UnsavedContext = createContext<Unsaved>({ guards: new Set(), ask: (goOn) => goOn() });

/** True for a form whose changes would be lost. */
export const isHeld = ({ isChanged, isDiscarded }: Guard): boolean => isChanged && !isDiscarded;
/** The path of an address. */
export const pageOf = (address: string): string => new URL(address, window.location.href).pathname;

/** Makes the page ask before it is left, as long as something is changed. */
export const useUnsaved = (isChanged: boolean, isSending: boolean): void => {
  const { guards } = useContext(UnsavedContext);
  const guard = useRef<Guard>({ isChanged: false, isSending: false, isDiscarded: false, address: "" });
  useLayoutEffect(() => {
    Object.assign(guard.current, { isChanged, isSending, address: window.location.href });
  }, [isChanged, isSending]);
  useLayoutEffect(() => {
    const own = guard.current;
    guards.add(own);
    return () => void guards.delete(own);
  }, [guards]);
};

/** Does something that loses what was typed: at once when nothing was, otherwise after asking. */
export const useLeaving = (): ((isChanged: boolean, goOn: () => void) => void) => {
  const { ask } = useContext(UnsavedContext);
  return useCallback((isChanged, goOn) => (isChanged ? ask(goOn) : goOn()), [ask]);
};

/** Does something that closes every form, such as signing out; asks first if any has changes. */
export const useLeavingAll = (): ((goOn: () => void) => void) => {
  const { guards, ask } = useContext(UnsavedContext);
  return useCallback(
    (goOn) => {
      const discard = (): void => {
        for (const guard of guards) guard.isDiscarded = true;
        goOn();
      };
      if ([...guards].some(isHeld)) ask(discard);
      else goOn();
    },
    [guards, ask],
  );
};

/** Tells whether any open form has changes. */
export const useHasUnsaved = (): (() => boolean) => {
  const { guards } = useContext(UnsavedContext);
  return useCallback(() => [...guards].some(isHeld), [guards]);
};

/** A router's `aroundNav` that asks first when another page is gone to. */
export const useGuardedNavigation = (base: string): AroundNavHandler => {
  const { guards, ask } = useContext(UnsavedContext);
  return useCallback(
    (navigate, to, options) => {
      const stays = pageOf(base + to) === window.location.pathname;
      const loses = [...guards].some((guard) => isHeld(guard) && !guard.isSending);
      if (stays || !loses) navigate(to, options);
      else ask(() => navigate(to, options));
    },
    [guards, ask, base],
  );
};
