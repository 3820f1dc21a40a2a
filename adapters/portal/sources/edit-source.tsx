import type { Source } from "../../../core/sources/source.ts";
import { useEdit } from "../forms/edit.ts";
import { EditDialog } from "../forms/edit-dialog.tsx";
import type { RecordDialogProps } from "../forms/record-dialogs.tsx";
import { throwIfIssues } from "../forms/throw-if-issues.ts";
import { notify } from "../page/notify.tsx";
import { pathOf } from "./source-actions.tsx";
import { bodyOfSource, draftOfSource, issuesOfSource } from "./source-draft.ts";
import { SourceFields } from "./source-fields.tsx";

/** Changes a source; its credentials stay unless the user types others. */
export const EditSource = ({ record, onClose }: RecordDialogProps<Source>) => {
  const editing = useEdit({
    path: pathOf(record),
    record,
    draftOf: draftOfSource,
    bodyOf: bodyOfSource,
  });
  const { draft, changes, save } = editing;
  const submit = async (): Promise<void> => {
    throwIfIssues(issuesOfSource(draft.values));
    if (Object.keys(changes).length === 0) return onClose();
    const { name } = await save<Source>();
    notify(`${name} is saved.`);
    onClose();
  };
  return (
    <EditDialog
      name={record.name}
      id={record.id}
      resource="sources"
      editing={editing}
      onSubmit={submit}
      onClose={onClose}
    >
      <SourceFields draft={draft} record={record} />
    </EditDialog>
  );
};
