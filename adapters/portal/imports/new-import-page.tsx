import { Button, Text } from "@mantine/core";
import { useState } from "react";
import { useLocation } from "wouter";
import type { OwnColumns } from "../../../core/imports/headings/columns.ts";
import { ApiError } from "../api/client.ts";
import { DealerField } from "../choices/dealer-choice.tsx";
import { useDraft } from "../forms/draft.ts";
import { FieldGroup } from "../forms/field-group.tsx";
import { FieldGroups, type FieldList } from "../forms/field-list.tsx";
import { FormPage } from "../forms/form-page.tsx";
import { throwIfIssues } from "../forms/throw-if-issues.ts";
import { notify } from "../page/notify.tsx";
import { Page } from "../page/page.tsx";
import { RowsSkeleton } from "../page/query-result.tsx";
import { bindingOf } from "../session/powers.ts";
import { useMay, useSession } from "../session/session.tsx";
import { checkFile } from "./check-file.ts";
import { type ChosenFile, useChosenFile } from "./chosen-file.tsx";
import { ColumnTable } from "./column-table.tsx";
import { assignColumns } from "./columns.ts";
import { FileDrop } from "./file-drop.tsx";
import { emptyFile, type FileDraft } from "./import-draft.ts";
import { DEALER_BY, sizeInWords } from "./import-words.ts";
import { ParseOptionFields, useFirstRows } from "./parse-option-fields.tsx";
import { doingFields, READING_FIELDS } from "./reading-fields.ts";
import { type SavedColumns, useSavedColumns } from "./saved-columns.ts";

const TITLE = "Import a file";
const BREADCRUMBS = [["Import", "/imports"]] as const;

/** Saves the chosen columns for the dealer's next file. A failure is only reported: the file is already checked. */
const saveColumns = async (savedColumns: SavedColumns, ownColumns: OwnColumns): Promise<void> => {
  try {
    await savedColumns.save(ownColumns);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    notify(`What the columns are is not kept for the next file. ${error.sentence}`);
  }
};

/** The options for the chosen file. Submitting checks the file and changes nothing. */
const ImportForm = ({ chosen }: { chosen: ChosenFile }) => {
  const { file } = chosen;
  const [, go] = useLocation();
  const { setChosen } = useChosenFile();
  const may = useMay();
  const bound = bindingOf(useSession().user);
  const draft = useDraft(chosen.draft ?? emptyFile(bound));
  const { values } = draft;
  const { firstRows, problem, readWith } = useFirstRows(chosen);
  const savedColumns = useSavedColumns(values.dealer_id, firstRows.heading);
  const [changed, setChanged] = useState(chosen.ownColumns);
  const ownColumns = changed ?? savedColumns.ownColumns;
  const assignment = assignColumns(firstRows, ownColumns);
  const check = async (): Promise<void> => {
    if (problem !== null) throwIfIssues([{ path: "", message: problem }]);
    if (assignment.fault !== null && firstRows.heading.length > 0)
      throwIfIssues([{ path: "columns", message: assignment.fault }]);
    const checked = await checkFile(file, values, { columns: ownColumns, values: savedColumns.ownValues });
    if (changed !== null) await saveColumns(savedColumns, changed);
    // The service read the whole file, so its detection is better than the preview's.
    const { charset, delimiter } = checked.file;
    setChosen({
      ...chosen,
      firstRows: firstRows.sheet === null ? { ...firstRows, charset, delimiter } : firstRows,
      draft: values,
      ownColumns: changed,
      importId: checked.id,
    });
    go(`/imports/${checked.id}`);
  };
  const isOfFile = assignment.fields.includes("dealer_id");
  const dealerFields: FieldList<FileDraft> | false = bound === null && {
    dealer_id: { kind: DealerField, label: "Dealer", placeholder: isOfFile ? "As the file says" : "Choose a dealer" },
    dealer_by: values.dealer_id === "" &&
      isOfFile && { kind: "choice", label: "The file names a dealer by", choices: DEALER_BY },
  };
  return (
    <FormPage
      title={TITLE}
      breadcrumbs={BREADCRUMBS}
      subtitle="It is checked first. Nothing is changed before you confirm."
      submit="Check"
      cancelTo="/imports"
      isChanged={draft.isChanged || changed !== chosen.ownColumns}
      disabled={!savedColumns.isLoaded}
      onSubmit={check}
    >
      <FieldGroup
        title="File"
        fullWidth={
          <div className="chosen-file">
            <Text size="sm">
              <strong>{file.name}</strong> · {sizeInWords(file.size)}
            </Text>
            <Button variant="default" size="xs" onClick={() => setChosen(null)}>
              Choose another file
            </Button>
          </div>
        }
      />
      <FieldGroup
        title="Columns"
        description="The first rows of the file. Below each heading stands what the column is taken for; what you change is kept for the dealer's next file."
        fullWidth={
          bound === null || savedColumns.isLoaded ? (
            <ColumnTable firstRows={firstRows} problem={problem} ownColumns={ownColumns} onChange={setChanged} />
          ) : (
            <RowsSkeleton lines={3} />
          )
        }
      >
        <ParseOptionFields file={file} firstRows={firstRows} draft={draft} onChange={readWith} />
      </FieldGroup>
      <FieldGroups
        draft={draft}
        groups={[
          { title: "What to do", fields: { ...dealerFields, ...doingFields(values, may("vehicles:delete")) } },
          { title: "How it is read", fields: READING_FIELDS },
        ]}
      />
    </FormPage>
  );
};

/** The page on which the user chooses a file and its columns, and sends it for a check. */
export const NewImportPage = () => {
  const { chosen } = useChosenFile();
  if (chosen !== null) return <ImportForm key={`${chosen.file.name} ${chosen.file.lastModified}`} chosen={chosen} />;
  return (
    <Page
      title={TITLE}
      breadcrumbs={BREADCRUMBS}
      subtitle="It is checked first. Nothing is changed before you confirm."
    >
      <div className="card section">
        <FileDrop />
      </div>
    </Page>
  );
};
