import type { Mapping } from "../../../core/imports/mapping.ts";
import type { Source } from "../../../core/sources/source.ts";
import { useList } from "../api/queries.ts";
import { DealerField } from "../choices/dealer-choice.tsx";
import { standardChoices } from "../choices/standard-choices.ts";
import type { useDraft } from "../forms/draft.ts";
import { FieldGroup } from "../forms/field-group.tsx";
import { FieldRows } from "../forms/field-rows.tsx";
import { CheckboxField, ChoiceField, PasswordField, TextField } from "../forms/fields.tsx";
import { FIELD_CHOICES } from "../imports/columns.ts";
import { CHARSETS, type Choices, DELIMITERS, MISSING, MODES, ON_ERROR } from "../imports/import-words.ts";
import { OwnerFields } from "../imports/owner-fields.tsx";
import { HeadingRowField, ReadingFields } from "../imports/reading-fields.tsx";
import { bindingOf } from "../session/powers.ts";
import { useMay, useSession } from "../session/session.tsx";
import { hasTimeOfDay, SCHEDULE_CHOICES } from "./schedule.ts";
import type { AuthChoice, SourceDraft } from "./source-draft.ts";
import { authInWords } from "./source-facts.tsx";

type Draft = ReturnType<typeof useDraft<SourceDraft>>;

const AUTH: readonly (readonly [AuthChoice, string])[] = [
  ["none", "None"],
  ["basic", "User and password"],
  ["header", "A header with a key"],
];

const ScheduleFields = ({ draft: { values, bind } }: { draft: Draft }) => (
  <FieldGroup
    title="When it is fetched"
    fullWidth={<CheckboxField {...bind("active")} label="Fetch it at these times" />}
  >
    <ChoiceField {...bind("every")} label="How often" options={SCHEDULE_CHOICES} />
    {hasTimeOfDay(values.every) && <TextField {...bind("time")} label="Time" type="time" required />}
    {values.every === "own" && (
      <TextField
        {...bind("schedule")}
        label="Schedule"
        description="Minute, hour, day of the month, month, day of the week; 15 minutes apart or more."
        required
      />
    )}
    <ChoiceField
      {...bind("timezone")}
      label="Time zone"
      options={standardChoices("timeZone", [values.timezone, "UTC"])}
    />
  </FieldGroup>
);

const CredentialFields = ({ draft: { values, bind }, stored }: { draft: Draft; stored: Source["auth"] }) => (
  <FieldGroup
    title="Access to the file"
    description="Credentials are kept sealed, sent to the address's own host only, and never shown."
  >
    <ChoiceField
      {...bind("auth")}
      label="Credentials"
      options={stored === null ? AUTH : [["keep", `${authInWords(stored)}, as stored`], ...AUTH]}
    />
    {values.auth === "basic" && (
      <>
        <TextField {...bind("user")} label="User" required />
        <PasswordField {...bind("password")} label="Password" autoComplete="new-password" required />
      </>
    )}
    {values.auth === "header" && (
      <>
        <TextField {...bind("header")} label="Header" placeholder="X-Feed-Key" required />
        <PasswordField {...bind("value")} label="Value" autoComplete="new-password" required />
      </>
    )}
  </FieldGroup>
);

/** A choice among the dealer's mappings; hidden if there are none. */
const MappingField = ({ draft: { values, bind } }: { draft: Draft }) => {
  const query = { dealer_id: values.dealer_id, limit: 100 };
  const { data } = useList<Mapping>("/import-mappings", query, { enabled: /^\d+$/.test(values.dealer_id) });
  const named = (data?.items ?? []).map(({ id, name }) => [String(id), name] as const);
  if (named.length === 0 && values.mapping === "") return null;
  const isKnown = values.mapping === "" || named.some(([id]) => id === values.mapping);
  return (
    <ChoiceField
      {...bind("mapping")}
      path="options.mapping"
      label="Mapping"
      options={[["", "None"], ...named, ...(isKnown ? [] : [[values.mapping, `Mapping ${values.mapping}`] as const])]}
    />
  );
};

const ColumnFields = ({ draft }: { draft: Draft }) => (
  <FieldGroup
    title="Columns"
    description="Known headings are found by themselves. Say here what the others are."
    fullWidth={
      <FieldRows
        noun="heading"
        rows={draft.values.columns}
        onChange={(columns) => draft.set({ columns })}
        newRow={(id) => ({ id, heading: "", field: "" })}
        renderFields={({ id, heading, field }, number, change) => (
          <>
            <TextField
              path={`options.columns.${heading}`}
              label={`Heading ${number}`}
              value={heading}
              onChange={(typed) => change({ heading: typed })}
            />
            <ChoiceField
              path={`column-${id}`}
              label={`Field ${number}`}
              value={field}
              onChange={(chosen) => change({ field: chosen })}
              options={FIELD_CHOICES.map(({ value, label }) => [value, label] as const)}
            />
          </>
        )}
      />
    }
  >
    <MappingField draft={draft} />
  </FieldGroup>
);

/** The choices, with the stored word if it is another name for one of them. */
const withStored = (choices: Choices<string>, stored: string): Choices<string> =>
  stored === "" || choices.some(([word]) => word === stored) ? choices : [...choices, [stored, stored]];

const ImportFields = ({ draft: { values, bind, set } }: { draft: Draft }) => {
  const may = useMay();
  const bound = <Name extends keyof SourceDraft & string>(name: Name) => ({ ...bind(name), path: `options.${name}` });
  const mayRemove = may("vehicles:delete") || values.missing === "remove";
  return (
    <>
      <FieldGroup title="What to do">
        <ChoiceField {...bound("mode")} label="What the file does" options={MODES} />
        {values.mode === "snapshot" && (
          <>
            <ChoiceField
              {...bound("missing")}
              label="Vehicles that are missing"
              description="After two files in a row without them."
              options={MISSING.filter(([word]) => word !== "remove" || mayRemove)}
            />
            <TextField
              {...bound("max_missing_percent")}
              label="Ask me if more are missing than"
              description="Percent of the lot, and more than 3 vehicles."
              inputMode="numeric"
            />
          </>
        )}
        <ChoiceField {...bound("on_error")} label="If some rows are wrong" options={ON_ERROR} />
        <CheckboxField
          {...bound("dry_run")}
          label="Only check the file"
          description="Each run says what would happen, and changes nothing."
        />
      </FieldGroup>
      <FieldGroup title="How it is read">
        <ReadingFields values={values} set={set} under="options." />
        <ChoiceField
          {...bound("charset")}
          label="Charset"
          options={[["", "Detect"], ...withStored(CHARSETS, values.charset)]}
        />
        <ChoiceField
          {...bound("delimiter")}
          label="Delimiter"
          options={[["", "Detect"], ...withStored(DELIMITERS, values.delimiter)]}
        />
        <HeadingRowField {...bound("heading_row")} />
        <TextField
          {...bound("sheet")}
          label="Sheet of a workbook"
          description="If it is empty, the first sheet with headings is taken."
        />
      </FieldGroup>
    </>
  );
};

interface SourceFieldsProps {
  readonly draft: Draft;
  /** The stored source; left out for a new one. */
  readonly record?: Source;
}

/** Every field of a source. */
export const SourceFields = ({ draft, record }: SourceFieldsProps) => {
  const { bind } = draft;
  const isBound = bindingOf(useSession().user) !== null;
  return (
    <>
      <FieldGroup
        title="Source"
        description="Its imports are made in the name of whoever changed it last."
        fullWidth={
          <TextField
            {...bind("url")}
            label="Address"
            description="Where the file is, beginning with https://"
            inputMode="url"
            required
          />
        }
      >
        <TextField {...bind("name")} label="Name" required />
        {record === undefined && !isBound && <DealerField {...bind("dealer_id")} required />}
      </FieldGroup>
      <CredentialFields draft={draft} stored={record?.auth ?? null} />
      <ScheduleFields draft={draft} />
      <ImportFields draft={draft} />
      <ColumnFields draft={draft} />
      <OwnerFields
        others="Fields that are not named here are as in the installation's settings."
        rows={draft.values.owners}
        onChange={(owners) => draft.set({ owners })}
      />
    </>
  );
};
