import { change } from "../api/client.ts";
import { useLeavingAll } from "../forms/unsaved.ts";
import { useSessionChange } from "./session.tsx";

/** The sign-out button. */
export const SignOut = () => {
  const sessionChanged = useSessionChange();
  const leaving = useLeavingAll();
  const signOut = async (): Promise<void> => {
    // Already signed out elsewhere, or the server is unreachable: the next page says so.
    await change("POST", "/sign-out").catch(() => {});
    await sessionChanged();
  };
  return (
    <button type="button" className="foot-action" onClick={() => leaving(() => void signOut())}>
      Sign out
    </button>
  );
};
