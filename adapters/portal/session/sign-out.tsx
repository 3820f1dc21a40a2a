import { Button } from "@mantine/core";
import { IconLogout } from "@tabler/icons-react";
import { change } from "../api/client.ts";
import { useSessionChange } from "./session.tsx";

/** The way out. */
export const SignOut = () => {
  const sessionChanged = useSessionChange();
  const signOut = async (): Promise<void> => {
    // Signed out elsewhere already, or out of reach: what is shown then says so itself.
    await change("POST", "/sign-out").catch(() => {});
    await sessionChanged();
  };
  return (
    <Button variant="default" leftSection={<IconLogout size={16} aria-hidden />} onClick={signOut}>
      Sign out
    </Button>
  );
};
