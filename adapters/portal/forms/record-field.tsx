import { useMay } from "../session/session.tsx";
import { type FieldProps, inputProps, TextField } from "./fields.tsx";
import { useIssue } from "./issues.tsx";
import { RecordSearch } from "./record-search.tsx";
import type { RecordSource } from "./record-source.ts";

interface RecordFieldProps extends FieldProps<string> {
  readonly source: RecordSource;
  /** Shown until a record is chosen. */
  readonly placeholder?: string;
  readonly filters?: Readonly<Record<string, string>>;
  readonly excludedIds?: readonly number[] | undefined;
}

/** A choice of a record in a form; users who may not read the records type its number. */
export const RecordField = ({ source, placeholder, filters, excludedIds, ...field }: RecordFieldProps) => {
  const issue = useIssue(field.path, { ...field, isChosen: true });
  if (!useMay()(source.needs)) return <TextField {...field} label={`${field.label} number`} inputMode="numeric" />;
  return (
    <RecordSearch
      {...inputProps(field, issue)}
      source={source}
      value={field.value}
      onChange={field.onChange}
      excludedIds={excludedIds}
      {...(placeholder !== undefined && { placeholder: placeholder })}
      {...(filters !== undefined && { filters })}
    />
  );
};
