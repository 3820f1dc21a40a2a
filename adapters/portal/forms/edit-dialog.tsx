import type { ReactNode } from "react";
import { ConflictChoice, type ConflictProps } from "./conflict.tsx";
import { FormDialog } from "./dialog.tsx";

interface EditDialogProps<Draft extends object> extends Omit<ConflictProps<Draft>, "conflict" | "draft"> {
  /** The record's name for people. */
  readonly name: string;
  /** What `useEdit` returned. */
  readonly editing: Pick<ConflictProps<Draft>, "conflict" | "draft"> & { readonly isChanged: boolean };
  readonly onSubmit: () => Promise<unknown>;
  readonly onClose: () => void;
  /** The path of the field that gets the focus first; by default the form's first field. */
  readonly focus?: string | undefined;
  readonly children: ReactNode;
}

/** The form that changes a record. Changes that somebody else made in the meantime appear above its fields. */
export const EditDialog = <Draft extends object>({
  name,
  editing: { conflict, draft, isChanged },
  onSubmit,
  onClose,
  focus,
  children,
  ...conflictProps
}: EditDialogProps<Draft>) => (
  <FormDialog
    title={`Edit ${name}`}
    submit="Save"
    onSubmit={onSubmit}
    onClose={onClose}
    size="xl"
    isChanged={isChanged}
    {...(focus !== undefined && { focus })}
  >
    <ConflictChoice conflict={conflict} draft={draft} {...conflictProps} />
    {children}
  </FormDialog>
);
