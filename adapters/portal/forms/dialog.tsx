import { Button, Modal } from "@mantine/core";
import { createContext, type ReactNode, useContext, useLayoutEffect, useState } from "react";
import { type FocusPath, focusPathOf, restoreFocus } from "./focus.ts";
import { Form } from "./form.tsx";
import { useConfirmDiscard } from "./unsaved.ts";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly size?: string;
  /** False if only the dialog's own buttons may close it. */
  readonly dismissible?: boolean;
  /** True if it opens on top of other dialogs. */
  readonly isOnTop?: boolean;
  /** True if it takes the whole window. */
  readonly fullScreen?: boolean;
  readonly children: ReactNode;
}

let lastOrigin: FocusPath = [];

/** What had the focus before a dialog. A dialog that follows another returns it to where that one got it from. */
const originOfDialog = (): FocusPath => {
  const active = document.activeElement;
  if (active !== null && active !== document.body && active.closest("[role=dialog]") === null)
    lastOrigin = focusPathOf(active);
  return lastOrigin;
};

/** True for content behind a dialog on top: the Escape key must not close it. */
export const BehindDialog = createContext(false);

/** A dialog with a title, open while it is mounted; then the focus returns to where it was. */
export const Dialog = ({
  title,
  onClose,
  size,
  dismissible = true,
  isOnTop = false,
  fullScreen = false,
  children,
}: DialogProps) => {
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
      fullScreen={fullScreen}
      closeOnClickOutside={false}
      closeOnEscape={dismissible && !isBehindDialog}
      withCloseButton={dismissible}
      closeButtonProps={{ "aria-label": "Close" }}
      // Otherwise it counts as the page's banner, and a second dialog as a second banner.
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
  /** True if closing would lose input: then the dialog asks first. */
  readonly isChanged?: boolean;
  /** The path of the field that gets the focus first; by default the form's first field. */
  readonly focus?: string;
  /** A button between the main one and Cancel. */
  readonly otherAction?: ReactNode;
}

/** A dialog with a form and a Cancel button. */
export const FormDialog = ({
  label,
  submit,
  onSubmit,
  danger = false,
  disabled = false,
  isChanged = false,
  focus,
  otherAction,
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
          <>
            {otherAction}
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
          </>
        }
      >
        {children}
      </Form>
    </Dialog>
  );
};

interface ConfirmProps extends Omit<DialogProps, "dismissible" | "isOnTop" | "size"> {
  /** True if closing would lose input: then the dialog asks first. */
  readonly isChanged?: boolean;
  readonly confirm: string;
  readonly danger?: boolean;
  /** Takes the action. After a refusal the dialog stays open and shows the server's message. */
  readonly onConfirm: () => Promise<unknown>;
  /** Called after success; by default the dialog closes. */
  readonly onDone?: () => void;
}

/** Asks before an action, and explains its effect. */
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
