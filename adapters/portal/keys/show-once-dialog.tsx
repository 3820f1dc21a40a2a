import { Button, Checkbox, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Dialog } from "../forms/dialog.tsx";
import { Notice } from "../page/notice.tsx";

interface ShowOnceDialogProps {
  readonly title: string;
  /** What the user should know about them. */
  readonly notice: string;
  /** The label of the checkbox that lets the user close the dialog. */
  readonly confirmLabel: string;
  readonly onClose: () => void;
  /** The secrets. */
  readonly children: ReactNode;
}

/** Shows secrets once; the user must confirm that they are copied. */
export const ShowOnceDialog = ({ title, notice, confirmLabel, onClose, children }: ShowOnceDialogProps) => {
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
