import { Text } from "@mantine/core";
import { useEffect, useState } from "react";
import type { BeforeSignOut } from "../entry/sign-out.tsx";
import { ConfirmDialog } from "../forms/dialog.tsx";
import { forgetWalk, readKept } from "./device.ts";
import { unsentInWords } from "./walk-words.ts";

/** Deletes what is kept of a walk before somebody signs out; asks first if something of it is not sent. */
export const WalkAtSignOut = ({ onGo, onStay }: BeforeSignOut) => {
  const [unsent, setUnsent] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each press of the button
  useEffect(() => {
    const look = async (): Promise<void> => {
      const count = (await readKept())?.actions.length ?? 0;
      if (count > 0) return setUnsent(count);
      await forgetWalk();
      onGo();
    };
    // A device that does not give it has nothing to show to others.
    void look().catch(onGo);
  }, []);
  if (unsent === 0) return null;
  return (
    <ConfirmDialog
      title={`${unsentInWords(unsent)} of the walk ${unsent === 1 ? "is" : "are"} not sent`}
      confirm="Delete and sign out"
      danger
      onConfirm={forgetWalk}
      onDone={onGo}
      onClose={onStay}
    >
      <Text size="sm">
        They wait on this device, and signing out deletes them. To send them, open Walk the lot with a network.
      </Text>
    </ConfirmDialog>
  );
};
