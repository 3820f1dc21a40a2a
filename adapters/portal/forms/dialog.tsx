import { Button, Modal } from "@mantine/core";
import { createContext, type ReactNode, useContext, useLayoutEffect, useState } from "react";
import { Form } from "./form.tsx";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly size?: string;
  /** False when it must be left by a choice of its own. */
  readonly dismissible?: boolean;
  /** True for one that stands over whatever is open, dialogs too. */
  readonly over?: boolean;
  readonly children: ReactNode;
}

let lastOrigin: Element | null = null;

/** What had the focus before a dialog; a dialog that follows another goes back to where that one came from. */
const originOfDialog = (): Element | null => {
  const active = document.activeElement;
  if (active !== null && active !== document.body && active.closest("[role=dialog]") === null) lastOrigin = active;
  return lastOrigin;
};

/** True for what is behind a dialog that stands over everything: the Escape key is not for it then. */
export const Covered = createContext(false);

/** A dialog with a name, open as long as it is there; what is behind it waits, and has the focus again afterwards. */
export const Dialog = ({ title, onClose, size, dismissible = true, over = false, children }: DialogProps) => {
  const [origin] = useState(() => (over ? document.activeElement : originOfDialog()));
  const isCovered = useContext(Covered);
  useLayoutEffect(
    () => () => {
      if (origin instanceof HTMLElement && origin.isConnected) origin.focus();
    },
    [origin],
  );
  return (
    <Modal
      opened
      returnFocus={false}
      onClose={onClose}
      title={title}
      size={size ?? "lg"}
      closeOnClickOutside={false}
      closeOnEscape={dismissible && !isCovered}
      withCloseButton={dismissible}
      closeButtonProps={{ "aria-label": "Close" }}
      transitionProps={{ duration: 0 }}
    >
      {children}
    </Modal>
  );
};

interface ConfirmProps extends Omit<DialogProps, "dismissible" | "over" | "size"> {
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
