import type { Source } from "../../../core/sources/source.ts";
import { EditRecord } from "../forms/edit-record.tsx";
import type { RecordDialogProps } from "../forms/record-dialogs.tsx";
import { pathOf } from "./source-actions.tsx";
import { bodyOfSource, draftOfSource, issuesOfSource } from "./source-draft.ts";
import { SourceFields } from "./source-fields.tsx";

/** Changes a source; its credentials stay unless the user types others. */
export const EditSource = (dialog: RecordDialogProps<Source>) => (
  <EditRecord
    {...dialog}
    resource="sources"
    path={pathOf(dialog.record)}
    draftOf={draftOfSource}
    bodyOf={bodyOfSource}
    nameOf={({ name }) => name}
    issuesOf={issuesOfSource}
  >
    {({ draft }) => <SourceFields draft={draft} record={dialog.record} />}
  </EditRecord>
);
