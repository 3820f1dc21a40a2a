import { useRef, useState } from "react";
import type { useDraft } from "../forms/draft.ts";
import { type FieldList, Fields } from "../forms/field-list.tsx";
import type { ChosenFile } from "./chosen-file.tsx";
import { type FirstRows, firstRowsOf, hasDelimiter, isWorkbook, NO_ROWS, type ParseOptions } from "./first-rows.ts";
import type { FileDraft } from "./import-draft.ts";
import { CHARSETS, type Choices, DELIMITERS, labelIn } from "./import-words.ts";
import { HEADING_ROW } from "./reading-fields.ts";

/** The first rows of a file, or why it cannot be read. */
interface Preview {
  readonly firstRows: FirstRows;
  readonly problem: string | null;
}

/** The first rows of the chosen file; parsed again when the user changes the parse options. */
export const useFirstRows = ({ file, firstRows }: ChosenFile) => {
  const [preview, setPreview] = useState<Preview>({ firstRows, problem: null });
  const latestAttempt = useRef(0);
  const readWith = async (written: ParseOptions): Promise<void> => {
    const attempt = ++latestAttempt.current;
    const read = await firstRowsOf(file, written);
    // The latest choice wins, whichever finishes first.
    if (attempt !== latestAttempt.current) return;
    setPreview(typeof read === "string" ? { firstRows: NO_ROWS, problem: read } : { firstRows: read, problem: null });
  };
  return { ...preview, readWith };
};

/** "Detected: UTF-8", and the other choices. */
const withDetected = <Word extends string>(choices: Choices<Word>, value: Word | "", found: Word | null) =>
  [
    ["", value === "" && found !== null ? `Detected: ${labelIn(choices, found)}` : "Detect"],
    ...choices,
  ] as const satisfies Choices<Word | "">;

/** Notes what the file itself declares, when that overrides the choice. */
const overrideNote = <Word extends string>(choices: Choices<Word>, value: Word | "", found: Word | null) =>
  value !== "" && found !== null && found !== value ? `The file itself says ${labelIn(choices, found)}.` : undefined;

interface ParseOptionFieldsProps {
  readonly file: File;
  readonly firstRows: FirstRows;
  readonly draft: ReturnType<typeof useDraft<FileDraft>>;
  readonly onChange: (written: ParseOptions) => void;
}

/** The charset, delimiter and heading of a file, or the sheet of a workbook: found, unless the user chooses them. */
export const ParseOptionFields = ({ file, firstRows, draft: { values, set }, onChange }: ParseOptionFieldsProps) => {
  const { charset, delimiter, heading_row, sheet } = values;
  const choose = (written: Partial<FileDraft & ParseOptions>): void => {
    set(written);
    onChange({ charset, delimiter, heading_row, sheet, ...written });
  };
  const ofWorkbook: FieldList<FileDraft> = {
    sheet: firstRows.sheets.length > 1 && {
      kind: "choice",
      label: "Sheet",
      choices: [
        ["", sheet === "" && firstRows.sheet !== null ? `Found: ${firstRows.sheet}` : "The first with a heading"],
        ...firstRows.sheets.map((name) => [name, name] as const),
      ],
    },
    heading_row: HEADING_ROW,
  };
  const ofText: FieldList<FileDraft> = {
    charset: {
      ...{ kind: "choice", label: "Charset", choices: withDetected(CHARSETS, charset, firstRows.charset) },
      hint: overrideNote(CHARSETS, charset, firstRows.charset),
    },
    delimiter: hasDelimiter(file.name) && {
      ...{ kind: "choice", label: "Delimiter", choices: withDetected(DELIMITERS, delimiter, firstRows.delimiter) },
      hint: overrideNote(DELIMITERS, delimiter, firstRows.delimiter),
    },
    heading_row: hasDelimiter(file.name) && HEADING_ROW,
  };
  const isOfWorkbook = isWorkbook(file.name) || firstRows.sheets.length > 0;
  return <Fields list={isOfWorkbook ? ofWorkbook : ofText} values={values} set={choose} />;
};
