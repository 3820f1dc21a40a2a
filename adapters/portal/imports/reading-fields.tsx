import { CheckboxField, ChoiceField, type FieldProps, TextField } from "../forms/fields.tsx";
import type { ImportDraft } from "./import-draft.ts";
import { CURRENCIES, DATE_ORDERS, DECIMAL, EMPTY, IMAGES, MATCHES, MERGES, UNITS } from "./import-words.ts";

/** The line on which a file's headings are. */
export const HeadingRowField = (props: Pick<FieldProps<string>, "path" | "value" | "onChange">) => (
  <TextField
    {...props}
    label="Line of the headings"
    description="If it is empty, the first line that looks like headings is taken."
    inputMode="numeric"
  />
);

interface ReadingFieldsProps {
  readonly values: ImportDraft;
  readonly set: (changes: Partial<ImportDraft>) => void;
  /** Where the options stand in the request: a source has them under `options.`. */
  readonly under?: string;
}

/** How the rows of a file are read, and what they do to vehicles that are there. */
export const ReadingFields = ({ values, set, under = "" }: ReadingFieldsProps) => {
  const bind = <Name extends keyof ImportDraft & string>(name: Name) => ({
    path: `${under}${name}`,
    value: values[name],
    onChange: (value: ImportDraft[Name]) => set({ [name]: value }),
  });
  return (
    <>
      <ChoiceField {...bind("match")} label="A row's vehicle is found by" options={MATCHES} />
      <ChoiceField
        {...bind("merge")}
        label="What people corrected"
        description="A value that somebody changed after the last file said the same."
        options={MERGES}
      />
      <ChoiceField {...bind("empty")} label="Empty cells" options={EMPTY} />
      <ChoiceField {...bind("images")} label="Images of a row" options={IMAGES} />
      <CheckboxField
        {...bind("fetch_images")}
        label="Fetch the photos and keep them here"
        description="Otherwise websites load them from the addresses in the file."
      />
      <ChoiceField
        {...bind("date_order")}
        label="Dates such as 05/06/2026"
        description="If no cell of the file decides, the settings do, and a warning says so."
        options={DATE_ORDERS}
      />
      <ChoiceField {...bind("decimal")} label="Before the cents of a price" options={DECIMAL} />
      <ChoiceField
        {...bind("units")}
        label="Mileages in another unit"
        description="Another than the one of the settings."
        options={UNITS}
      />
      <ChoiceField
        {...bind("currency")}
        label="Prices in another currency"
        description="They are never converted."
        options={CURRENCIES}
      />
    </>
  );
};
