import { useRef, useState } from "react";
import type { useDraft } from "../forms/draft.ts";
import { ChoiceField } from "../forms/fields.tsx";
import type { ChosenFile } from "./chosen-file.tsx";
import { type FirstRows, firstRowsOf, hasDelimiter, NO_ROWS, type Written } from "./first-rows.ts";
import type { FileDraft } from "./import-draft.ts";
import { CHARSETS, type Choices, DELIMITERS, labelIn } from "./import-words.ts";

/** The first rows of a file, or why it cannot be read. */
interface Shown {
  readonly first: FirstRows;
  readonly problem: string | null;
}

/** The first rows of the chosen file. They are read anew once somebody says how it is written. */
export const useFirstRows = ({ file, first }: ChosenFile) => {
  const [shown, setShown] = useState<Shown>({ first, problem: null });
  const latest = useRef(0);
  const readAs = async (written: Written): Promise<void> => {
    const mine = ++latest.current;
    const read = await firstRowsOf(file, written);
    // What was chosen last counts, whichever is read first.
    if (mine !== latest.current) return;
    setShown(typeof read === "string" ? { first: NO_ROWS, problem: read } : { first: read, problem: null });
  };
  return { ...shown, readAs };
};

/** "Detected: UTF-8", and what it can be said to be instead. */
const withFound = <Word extends string>(choices: Choices<Word>, value: Word | "", found: Word | null) =>
  [
    ["", value === "" && found !== null ? `Detected: ${labelIn(choices, found)}` : "Detect"],
    ...choices,
  ] as const satisfies Choices<Word | "">;

/** What the file itself says, where that comes before what was chosen. */
const besides = <Word extends string>(choices: Choices<Word>, value: Word | "", found: Word | null) =>
  value !== "" && found !== null && found !== value
    ? { description: `The file itself says ${labelIn(choices, found)}.` }
    : {};

interface WrittenFieldsProps {
  readonly file: File;
  readonly first: FirstRows;
  readonly draft: ReturnType<typeof useDraft<FileDraft>>;
  readonly onWritten: (written: Written) => void;
}

/** How a file is written: that is found out unless somebody knows better. */
export const WrittenFields = ({ file, first, draft: { values, set }, onWritten }: WrittenFieldsProps) => {
  const { charset, delimiter } = values;
  const say = (written: Partial<Written>): void => {
    set(written);
    onWritten({ charset, delimiter, ...written });
  };
  return (
    <>
      <ChoiceField
        path="charset"
        label="Charset"
        value={charset}
        onChange={(word) => say({ charset: word })}
        options={withFound(CHARSETS, charset, first.charset)}
        {...besides(CHARSETS, charset, first.charset)}
      />
      {hasDelimiter(file.name) && (
        <ChoiceField
          path="delimiter"
          label="Delimiter"
          value={delimiter}
          onChange={(word) => say({ delimiter: word })}
          options={withFound(DELIMITERS, delimiter, first.delimiter)}
          {...besides(DELIMITERS, delimiter, first.delimiter)}
        />
      )}
    </>
  );
};
