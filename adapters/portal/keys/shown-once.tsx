import { Button, Checkbox, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Dialog } from "../forms/dialog.tsx";
import { Notice } from "../shell/notice.tsx";

interface ShownOnceProps {
  readonly title: string;
  /** What to know of it. */
  readonly notice: string;
  /** What is said to leave it. */
  readonly confirmLabel: string;
  readonly onClose: () => void;
  /** The secrets. */
  readonly children: ReactNode;
}

/** Secrets that are shown this once; the dialog is left only by saying that they were copied. */
export const ShownOnce = ({ title, notice, confirmLabel, onClose, children }: ShownOnceProps) => {
  const [isConfirmed, setIsConfirmed] = useState(false);
  return (
    <Dialog title={title} onClose={onClose} size="xl" dismissible={false}>
      <Stack>
        <Notice title="Copy now">
          <Text size="sm">{notice}</Text>
        </Notice>
        {children}
        <Checkbox
          label={confirmLabel}
          checked={isConfirmed}
          onChange={(event) => setIsConfirmed(event.currentTarget.checked)}
        />
        <Button onClick={onClose} disabled={!isConfirmed}>
          Done
        </Button>
      </Stack>
    </Dialog>
  );
};
