import { Button, Text } from "@mantine/core";
import { useState } from "react";
import { useLocation } from "wouter";
import type { Import } from "../../../core/imports/import.ts";
import { sendFile } from "../api/client.ts";
import { DealerField } from "../dealers/dealer-choice.tsx";
import { useDraft } from "../forms/draft.ts";
import { FieldGroup } from "../forms/field-group.tsx";
import { ChoiceField, TextField } from "../forms/fields.tsx";
import { refuse } from "../forms/refuse.ts";
import { bindingOf } from "../session/powers.ts";
import { useMay, useSession } from "../session/session.tsx";
import { FormPage } from "../shell/form-page.tsx";
import { Page } from "../shell/page.tsx";
import { type ChosenFile, useChosenFile } from "./chosen-file.tsx";
import { ColumnTable } from "./column-table.tsx";
import { takenFor } from "./columns.ts";
import { FileDrop } from "./file-drop.tsx";
import { typeOf } from "./first-rows.ts";
import { emptyImport, queryOf } from "./import-draft.ts";
import { DECIMAL, EMPTY, IMAGES, MATCHES, MISSING, MODES, ON_ERROR, sizeInWords } from "./import-words.ts";
import { keepColumns, keptColumns } from "./kept-columns.ts";

const TITLE = "Import a file";
const TRAIL = [["Import", "/imports"]] as const;

/** What is to be done with a file that was chosen; sending it checks it and changes nothing. */
const ImportForm = ({ chosen }: { chosen: ChosenFile }) => {
  const { file, first } = chosen;
  const [, go] = useLocation();
  const { setChosen } = useChosenFile();
  const { user } = useSession();
  const may = useMay();
  const bound = bindingOf(user);
  const draft = useDraft(chosen.draft ?? emptyImport(bound));
  const { values, bind } = draft;
  const [changed, setChanged] = useState(chosen.own);
  const own = changed ?? keptColumns(user.id, values.dealer_id, first.heading);
  const taken = takenFor(first.heading, own);
  const check = async (): Promise<void> => {
    if (taken.fault !== null && first.heading.length > 0) refuse([{ path: "columns", message: taken.fault }]);
    // One that was changed since it was chosen cannot be sent: the browser breaks off.
    await file
      .slice(0, 1)
      .arrayBuffer()
      .catch(() => refuse([{ path: "", message: "The file was changed or moved. Choose it again." }]));
    const typed = new File([file], file.name, { type: typeOf(file.name) });
    const checked = await sendFile<Import>("/imports", queryOf(values, own), typed);
    keepColumns(user.id, values.dealer_id, { heading: first.heading, own });
    setChosen({ ...chosen, draft: values, own, importId: checked.id });
    go(`/imports/${checked.id}`);
  };
  const isSnapshot = values.mode === "snapshot";
  return (
    <FormPage
      title={TITLE}
      trail={TRAIL}
      line="It is checked first. Nothing is changed before you confirm."
      submit="Check"
      cancel="/imports"
      isChanged={draft.isChanged || changed !== chosen.own}
      onSubmit={check}
    >
      <FieldGroup
        title="File"
        wide={
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
        explained="The first rows of the file. Below each heading stands what the column is taken for; what you change is kept for the next file of the same headings."
        wide={<ColumnTable first={first} own={own} onChange={setChanged} />}
      />
      <FieldGroup title="What to do">
        {bound === null && (
          <DealerField
            {...bind("dealer_id")}
            none={taken.fields.includes("dealer_id") ? "As the file says" : "Choose a dealer"}
          />
        )}
        <ChoiceField {...bind("mode")} label="What the file does" options={MODES} />
        {isSnapshot && (
          <>
            <ChoiceField
              {...bind("missing")}
              label="Vehicles that are missing"
              options={MISSING.filter(([word]) => word !== "remove" || may("vehicles:delete"))}
            />
            <TextField
              {...bind("max_missing_percent")}
              label="Ask me if more are missing than"
              description="Percent of the lot, and more than 3 vehicles."
              inputMode="numeric"
            />
          </>
        )}
        <ChoiceField {...bind("on_error")} label="If some rows are wrong" options={ON_ERROR} />
      </FieldGroup>
      <FieldGroup title="How it is read">
        <ChoiceField {...bind("match")} label="A row's vehicle is found by" options={MATCHES} />
        <ChoiceField {...bind("empty")} label="Empty cells" options={EMPTY} />
        <ChoiceField {...bind("images")} label="Images of a row" options={IMAGES} />
        <ChoiceField {...bind("decimal")} label="Before the cents of a price" options={DECIMAL} />
      </FieldGroup>
    </FormPage>
  );
};

/** Chooses a file and what its columns are, and has it checked. */
export const NewImportPage = () => {
  const { chosen } = useChosenFile();
  if (chosen !== null) return <ImportForm key={`${chosen.file.name} ${chosen.file.lastModified}`} chosen={chosen} />;
  return (
    <Page title={TITLE} trail={TRAIL} line="It is checked first. Nothing is changed before you confirm.">
      <div className="card section">
        <FileDrop />
      </div>
    </Page>
  );
};
