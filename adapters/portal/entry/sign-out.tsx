import { change } from "../api/client.ts";
import { useConfirmDiscardAll } from "../forms/unsaved.ts";
import { useReloadSession } from "../session/session.tsx";

/** The sign-out button. */
export const SignOut = () => {
  const reloadSession = useReloadSession();
  const confirmDiscardAll = useConfirmDiscardAll();
  const signOut = async (): Promise<void> => {
    // Already signed out elsewhere, or the server is unreachable: the next page says so.
    await change("POST", "/sign-out").catch(() => {});
    await reloadSession();
  };
  return (
    <button type="button" className="person-action" onClick={() => confirmDiscardAll(() => void signOut())}>
      Sign out
    </button>
  );
};
