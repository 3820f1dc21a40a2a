import { Text } from "@mantine/core";
import { type ComponentType, type ReactNode, useState } from "react";
import { SignInFrame } from "../entry/sign-in-frame.tsx";
import { SignOut } from "../entry/sign-out.tsx";
import { useSession } from "../session/session.tsx";

interface GateProps {
  /** The section that sets it up, which few users need. */
  readonly setUp: ComponentType<{ onSetUp?: () => void }>;
  readonly children: ReactNode;
}

/** Holds users who need a second factor until it is set up and the recovery codes are saved. */
export const SecondFactorGate = ({ setUp: SetUp, children }: GateProps) => {
  const { second_factor_required } = useSession();
  const [isHeld, setIsHeld] = useState(second_factor_required);
  // The session reports the second factor before the user has read the recovery codes.
  if (second_factor_required && !isHeld) setIsHeld(true);
  if (!isHeld) return children;
  return (
    <SignInFrame title="Set up your second factor">
      <Text size="sm">
        Your account needs a second factor: a code of an authenticator app besides the password. Everything else opens
        once it is set up.
      </Text>
      <SetUp onSetUp={() => setIsHeld(false)} />
      <SignOut />
    </SignInFrame>
  );
};
