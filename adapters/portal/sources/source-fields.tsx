import type { Mapping } from "../../../core/imports/mapping.ts";
import type { Source } from "../../../core/sources/source.ts";
import { useList } from "../api/queries.ts";
import { DealerField } from "../choices/dealer-choice.tsx";
import { standardChoices } from "../choices/standard-choices.ts";
import type { useDraft } from "../forms/draft.ts";
import { FieldGroups, type FieldList, Fields } from "../forms/field-list.tsx";
import { FieldRows } from "../forms/field-rows.tsx";
import { ChoiceField, TextField } from "../forms/fields.tsx";
import { FIELD_CHOICES } from "../imports/columns.ts";
import { CHARSETS, type Choices, DELIMITERS } from "../imports/import-words.ts";
import { OwnerFields } from "../imports/owner-fields.tsx";
import { doingFields, HEADING_ROW, READING_FIELDS } from "../imports/reading-fields.ts";
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

const scheduleFields = ({ every, timezone }: SourceDraft): FieldList<SourceDraft> => ({
  every: { kind: "choice", label: "How often", choices: SCHEDULE_CHOICES },
  time: hasTimeOfDay(every) && { kind: "time", label: "Time", required: true },
  schedule: every === "own" && {
    kind: "text",
    label: "Schedule",
    hint: "Minute, hour, day of the month, month, day of the week; 15 minutes apart or more.",
    required: true,
  },
  timezone: { kind: "choice", label: "Time zone", choices: standardChoices("timeZone", [timezone, "UTC"]) },
  active: { kind: "flag", label: "Fetch it at these times", isWide: true },
});

const credentialFields = ({ auth }: SourceDraft, stored: Source["auth"]): FieldList<SourceDraft> => ({
  auth: {
    kind: "choice",
    label: "Credentials",
    choices: stored === null ? AUTH : [["keep", `${authInWords(stored)}, as stored`], ...AUTH],
  },
  ...(auth === "basic" && {
    user: { kind: "text", label: "User", required: true },
    password: { kind: "secret", label: "Password", required: true },
  }),
  ...(auth === "header" && {
    header: { kind: "text", label: "Header", placeholder: "X-Feed-Key", required: true },
    value: { kind: "secret", label: "Value", required: true },
  }),
});

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

const ColumnRows = ({ draft }: { draft: Draft }) => (
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
);

/** The choices, with the stored word if it is another name for one of them. */
const withStored = (choices: Choices<string>, stored: string): Choices<string> =>
  stored === "" || choices.some(([word]) => word === stored) ? choices : [...choices, [stored, stored]];

const fileFields = ({ charset, delimiter }: SourceDraft): FieldList<SourceDraft> => ({
  ...READING_FIELDS,
  charset: { kind: "choice", label: "Charset", choices: [["", "Detect"], ...withStored(CHARSETS, charset)] },
  delimiter: { kind: "choice", label: "Delimiter", choices: [["", "Detect"], ...withStored(DELIMITERS, delimiter)] },
  heading_row: HEADING_ROW,
  sheet: {
    kind: "text",
    label: "Sheet of a workbook",
    hint: "If it is empty, the first sheet with headings is taken.",
  },
});

interface SourceFieldsProps {
  readonly draft: Draft;
  /** The stored source; left out for a new one. */
  readonly record?: Source;
}

/** Every field of a source. */
export const SourceFields = ({ draft, record }: SourceFieldsProps) => {
  const { values, set } = draft;
  const isBound = bindingOf(useSession().user) !== null;
  const mayRemove = useMay()("vehicles:delete");
  const source: FieldList<SourceDraft> = {
    name: { kind: "text", label: "Name", required: true },
    dealer_id: record === undefined && !isBound && { kind: DealerField, label: "Dealer", required: true },
    url: {
      ...{ kind: "url", label: "Address", hint: "Where the file is, beginning with https://" },
      ...{ required: true, isWide: true },
    },
  };
  const doing: FieldList<SourceDraft> = {
    ...doingFields(values, mayRemove, "After two files in a row without them."),
    dry_run: {
      kind: "flag",
      label: "Only check the file",
      hint: "Each run says what would happen, and changes nothing.",
    },
  };
  const options = (list: FieldList<SourceDraft>) => <Fields list={list} values={values} set={set} under="options." />;
  return (
    <>
      <FieldGroups
        draft={draft}
        groups={[
          {
            title: "Source",
            description: "Its imports are made in the name of whoever changed it last.",
            fields: source,
          },
          {
            title: "Access to the file",
            description: "Credentials are kept sealed, sent to the address's own host only, and never shown.",
            fields: credentialFields(values, record?.auth ?? null),
          },
          { title: "When it is fetched", fields: scheduleFields(values) },
          { title: "What to do", inputs: options(doing) },
          { title: "How it is read", inputs: options(fileFields(values)) },
          {
            title: "Columns",
            description: "Known headings are found by themselves. Say here what the others are.",
            inputs: <MappingField draft={draft} />,
            below: <ColumnRows draft={draft} />,
          },
        ]}
      />
      <OwnerFields
        others="Fields that are not named here are as in the installation's settings."
        rows={values.owners}
        onChange={(owners) => set({ owners })}
      />
    </>
  );
};
