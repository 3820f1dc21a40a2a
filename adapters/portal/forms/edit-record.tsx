import type { ReactNode } from "react";
import type { Issue } from "../../../core/issues.ts";
import { notify } from "../page/notify.tsx";
import { ConflictChoice, type ConflictProps } from "./conflict.tsx";
import { FormDialog } from "./dialog.tsx";
import { type Editing, useEdit } from "./edit.ts";
import type { RecordDialogProps } from "./record-dialogs.tsx";
import { throwIfIssues } from "./throw-if-issues.ts";

/** What somebody typed, and how it differs from the record. */
type Edited<Item extends EditedRecord, Draft extends object> = Pick<
  ReturnType<typeof useEdit<Item, Draft>>,
  "draft" | "changes"
>;

interface EditedRecord {
  readonly id: number;
  readonly updated_at: string;
}

interface EditRecordProps<Item extends EditedRecord, Draft extends object, Saved>
  extends RecordDialogProps<Item>,
    Editing<Item, Draft>,
    Pick<ConflictProps<Draft>, "resource" | "labelOf" | "valueRenderers"> {
  /** The record's name for people. */
  readonly nameOf: (record: Item | Saved) => string;
  /** What is wrong with the draft, checked before it is sent. */
  readonly issuesOf?: (draft: Draft) => readonly Issue[];
  /** Asks before the changes are sent; throws if they are not to be. */
  readonly ask?: (changes: object) => Promise<void>;
  /** What is sent beside the changes. */
  readonly more?: (edited: Edited<Item, Draft>) => object;
  /** Called after a save; by default a notice says so, and the dialog closes. */
  readonly onSaved?: (saved: Saved, changes: object) => void;
  /** The path of the field that gets the focus first; by default the form's first field. */
  readonly focus?: string | undefined;
  /** The form's fields. */
  readonly children: (edited: Edited<Item, Draft>) => ReactNode;
}

/** The dialog that changes a record. Changes that somebody else made in the meantime appear above its fields. */
export const EditRecord = <Item extends EditedRecord, Draft extends object, Saved = Item>({
  record,
  onClose,
  path,
  draftOf,
  bodyOf,
  nameOf,
  issuesOf,
  ask,
  more,
  onSaved,
  focus,
  children,
  ...conflictProps
}: EditRecordProps<Item, Draft, Saved>) => {
  const { draft, changes, save, conflict, isChanged } = useEdit({ path, record, draftOf, bodyOf });
  const edited = { draft, changes };
  const submit = async (): Promise<void> => {
    throwIfIssues(issuesOf?.(draft.values) ?? []);
    if (Object.keys(changes).length === 0) return onClose();
    await ask?.(changes);
    const saved = await save<Saved>(more?.(edited));
    if (onSaved !== undefined) return onSaved(saved, changes);
    notify(`${nameOf(saved)} is saved.`);
    onClose();
  };
  return (
    <FormDialog
      title={`Edit ${nameOf(record)}`}
      submit="Save"
      onSubmit={submit}
      onClose={onClose}
      size="xl"
      isChanged={isChanged}
      {...(focus !== undefined && { focus })}
    >
      <ConflictChoice conflict={conflict} draft={draft} id={record.id} {...conflictProps} />
      {children(edited)}
    </FormDialog>
  );
};
