import { type ComponentType, useState } from "react";
import { change } from "../api/client.ts";
import { useConfirmDiscardAll } from "../forms/unsaved.ts";
import { useReloadSession } from "../session/session.tsx";

/** What is done before somebody signs out: it goes on, or not. */
export interface BeforeSignOut {
  readonly onGo: () => void;
  readonly onStay: () => void;
}

/** The sign-out button. `Before` is shown first, and goes on by itself if nothing is to be asked. */
export const SignOut = ({ Before }: { Before?: ComponentType<BeforeSignOut> | null }) => {
  const reloadSession = useReloadSession();
  const confirmDiscardAll = useConfirmDiscardAll();
  const [isAsking, setIsAsking] = useState(false);
  const signOut = async (): Promise<void> => {
    setIsAsking(false);
    // Already signed out elsewhere, or the server is unreachable: the next page says so.
    await change("POST", "/sign-out").catch(() => {});
    await reloadSession();
  };
  const begin = (): void => {
    if (Before) setIsAsking(true);
    else void signOut();
  };
  return (
    <>
      <button type="button" className="person-action" onClick={() => confirmDiscardAll(begin)}>
        Sign out
      </button>
      {isAsking && Before && <Before onGo={() => void signOut()} onStay={() => setIsAsking(false)} />}
    </>
  );
};
