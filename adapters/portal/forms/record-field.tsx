import { useMay } from "../session/session.tsx";
import { type FieldProps, TextField, whatItSays } from "./fields.tsx";
import { useIssue } from "./issues.tsx";
import { RecordSearch } from "./record-search.tsx";
import type { RecordSource } from "./record-source.ts";

interface RecordFieldProps extends FieldProps<string> {
  readonly source: RecordSource;
  /** What stands in the field while nothing is chosen. */
  readonly none?: string;
  readonly only?: Readonly<Record<string, string>>;
  readonly except?: readonly number[] | undefined;
}

/** A choice of a record in a form; its number for those who may not read the records. */
export const RecordField = ({ source, none, only, except, ...field }: RecordFieldProps) => {
  const issue = useIssue(field.path, { ...field, isChosen: true });
  if (!useMay()(source.needs)) return <TextField {...field} label={`${field.label} number`} inputMode="numeric" />;
  return (
    <RecordSearch
      {...whatItSays(field, issue)}
      source={source}
      value={field.value}
      onChange={field.onChange}
      except={except}
      {...(none !== undefined && { placeholder: none })}
      {...(only !== undefined && { only })}
    />
  );
};
