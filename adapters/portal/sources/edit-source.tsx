import type { Source } from "../../../core/sources/source.ts";
import { ConflictChoice } from "../forms/conflict.tsx";
import { FormDialog } from "../forms/dialog.tsx";
import { useEdit } from "../forms/edit.ts";
import { refuse } from "../forms/refuse.ts";
import { sayDone } from "../shell/done.ts";
import { pathOf } from "./source-actions.tsx";
import { bodyOfSource, draftOfSource, issuesOfSource } from "./source-draft.ts";
import { SourceFields } from "./source-fields.tsx";

/** Changes a source; its credentials stay unless others are typed. */
export const EditSource = ({ record, onClose }: { record: Source; onClose: () => void }) => {
  const { draft, changes, save, conflict, isChanged } = useEdit({
    path: pathOf(record),
    record,
    draftOf: draftOfSource,
    bodyOf: bodyOfSource,
  });
  const submit = async (): Promise<void> => {
    refuse(issuesOfSource(draft.values));
    if (Object.keys(changes).length === 0) return onClose();
    const { name } = await save<Source>();
    sayDone(`${name} is saved.`);
    onClose();
  };
  return (
    <FormDialog
      title={`Edit ${record.name}`}
      submit="Save"
      onSubmit={submit}
      onClose={onClose}
      size="xl"
      isChanged={isChanged}
    >
      <ConflictChoice conflict={conflict} draft={draft} resource="sources" id={record.id} />
      <SourceFields draft={draft} record={record} />
    </FormDialog>
  );
};
