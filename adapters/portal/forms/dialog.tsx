import { Button, Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { Form } from "./form.tsx";

interface DialogProps {
  readonly title: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly size?: string;
  /** False when it must be left by a choice of its own. */
  readonly dismissible?: boolean;
  readonly children: ReactNode;
}

/** A dialog with a name; what is behind it waits. */
export const Dialog = ({ title, opened, onClose, size, dismissible = true, children }: DialogProps) => (
  <Modal
    opened={opened}
    onClose={onClose}
    title={title}
    size={size ?? "lg"}
    closeOnClickOutside={false}
    closeOnEscape={dismissible}
    withCloseButton={dismissible}
    closeButtonProps={{ "aria-label": "Close" }}
    transitionProps={{ duration: 0 }}
  >
    {children}
  </Modal>
);

interface ConfirmProps extends Omit<DialogProps, "dismissible" | "size"> {
  readonly confirm: string;
  readonly danger?: boolean;
  /** Does it; the dialog closes when it is done and stays with the server's words when it is refused. */
  readonly onConfirm: () => Promise<unknown>;
  /** What follows, if not that the dialog closes. */
  readonly onDone?: () => void;
}

/** Asks before something is done, and says what it means. */
export const ConfirmDialog = ({ confirm, danger, onConfirm, onDone, children, ...dialog }: ConfirmProps) => (
  <Dialog {...dialog}>
    <Form
      label={dialog.title}
      submit={confirm}
      danger={danger ?? false}
      onSubmit={async () => {
        await onConfirm();
        (onDone ?? dialog.onClose)();
      }}
      beside={
        <Button variant="default" onClick={dialog.onClose}>
          Cancel
        </Button>
      }
    >
      {children}
    </Form>
  </Dialog>
);
