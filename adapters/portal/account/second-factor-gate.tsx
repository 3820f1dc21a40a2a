import { Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Entrance } from "../session/entrance.tsx";
import { useSession } from "../session/session.tsx";
import { SignOut } from "../session/sign-out.tsx";
import { SecondFactorSection } from "./second-factor.tsx";

/** Whoever must set up a second factor before anything else stays with it until the recovery codes are kept. */
export const SecondFactorGate = ({ children }: { children: ReactNode }) => {
  const { second_factor_required } = useSession();
  const [isHeld, setIsHeld] = useState(second_factor_required);
  // The session says that it is set up before the recovery codes were read.
  if (second_factor_required && !isHeld) setIsHeld(true);
  if (!isHeld) return children;
  return (
    <Entrance title="Set up your second factor">
      <Text size="sm">
        Your account needs a second factor: a code of an authenticator app besides the password. Everything else opens
        once it is set up.
      </Text>
      <SecondFactorSection onSetUp={() => setIsHeld(false)} />
      <SignOut />
    </Entrance>
  );
};
