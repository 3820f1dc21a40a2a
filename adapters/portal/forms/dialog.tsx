import { Button, Modal } from "@mantine/core";
import { createContext, type ReactNode, useContext, useLayoutEffect, useState } from "react";
import { type FocusPath, focusPathOf, restoreFocus } from "./focus.ts";
import { Form } from "./form.tsx";
import { useConfirmDiscard } from "./unsaved.ts";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly size?: string;
  /** False when it must be left by a choice of its own. */
  readonly dismissible?: boolean;
  /** True if it opens on top of other dialogs. */
  readonly isOnTop?: boolean;
  readonly children: ReactNode;
}

let lastOrigin: FocusPath = [];

/** What had the focus before a dialog; a dialog that follows another goes back to where that one came from. */
const originOfDialog = (): FocusPath => {
  const active = document.activeElement;
  if (active !== null && active !== document.body && active.closest("[role=dialog]") === null)
    lastOrigin = focusPathOf(active);
  return lastOrigin;
};

/** True for content behind a dialog on top: then the Escape key must not close it. */
export const BehindDialog = createContext(false);

/** A dialog with a name, open as long as it is there; what is behind it waits, and has the focus again afterwards. */
export const Dialog = ({ title, onClose, size, dismissible = true, isOnTop = false, children }: DialogProps) => {
  const [origin] = useState(() => (isOnTop ? focusPathOf(document.activeElement) : originOfDialog()));
  const isBehindDialog = useContext(BehindDialog);
  useLayoutEffect(() => () => restoreFocus(origin), [origin]);
  return (
    <Modal
      opened
      returnFocus={false}
      onClose={onClose}
      title={title}
      size={size ?? "lg"}
      closeOnClickOutside={false}
      closeOnEscape={dismissible && !isBehindDialog}
      withCloseButton={dismissible}
      closeButtonProps={{ "aria-label": "Close" }}
      // Else it is the page's banner, and a dialog over another a second one.
      attributes={{ header: { role: "none" } }}
      transitionProps={{ duration: 0 }}
    >
      {children}
    </Modal>
  );
};

interface FormDialogProps extends Omit<DialogProps, "dismissible"> {
  /** The form's name for screen readers; the title by default. */
  readonly label?: string;
  readonly submit: string;
  readonly onSubmit: () => Promise<unknown>;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  /** True when closing it would lose something: then it asks first. */
  readonly isChanged?: boolean;
  /** The path of the field that has the focus first; else it is the first of the form. */
  readonly focus?: string;
}

/** A dialog with a form, which Cancel closes. */
export const FormDialog = ({
  label,
  submit,
  onSubmit,
  danger = false,
  disabled = false,
  isChanged = false,
  focus,
  children,
  ...dialog
}: FormDialogProps) => {
  const confirmDiscard = useConfirmDiscard();
  const close = (): void => confirmDiscard(isChanged, dialog.onClose);
  return (
    <Dialog {...dialog} onClose={close}>
      <Form
        label={label ?? dialog.title}
        submit={submit}
        danger={danger}
        disabled={disabled}
        isChanged={isChanged}
        onSubmit={onSubmit}
        {...(focus !== undefined && { focus })}
        secondaryAction={
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
        }
      >
        {children}
      </Form>
    </Dialog>
  );
};

interface ConfirmProps extends Omit<DialogProps, "dismissible" | "over" | "size"> {
  /** True when closing it would lose something: then it asks first. */
  readonly isChanged?: boolean;
  readonly confirm: string;
  readonly danger?: boolean;
  /** Does it; the dialog closes when it is done and stays with the server's words when it is refused. */
  readonly onConfirm: () => Promise<unknown>;
  /** What follows, if not that the dialog closes. */
  readonly onDone?: () => void;
}

/** Asks before something is done, and says what it means. */
export const ConfirmDialog = ({ confirm, onConfirm, onDone, ...dialog }: ConfirmProps) => (
  <FormDialog
    {...dialog}
    submit={confirm}
    onSubmit={async () => {
      await onConfirm();
      (onDone ?? dialog.onClose)();
    }}
  />
);
