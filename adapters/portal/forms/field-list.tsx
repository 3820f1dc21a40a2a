import { type ComponentType, Fragment, type ReactNode } from "react";
import type { useDraft } from "./draft.ts";
import { FieldGroup } from "./field-group.tsx";
import {
  CheckboxField,
  ChoiceField,
  type FieldProps,
  LongTextField,
  PasswordField,
  SuggestedField,
  TextField,
} from "./fields.tsx";

/** How each kind of one line is typed. */
const LINES = {
  text: {},
  url: { inputMode: "url" },
  email: { type: "email" },
  whole: { inputMode: "numeric" },
  decimal: { inputMode: "decimal" },
  date: { type: "date" },
  time: { type: "time" },
} as const;
type LineKind = keyof typeof LINES;

/** Words to choose from, with their labels. */
type Choices<Word extends string> = readonly (readonly [word: Word, label: string])[];

interface Described {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly required?: boolean;
  readonly disabled?: boolean;
  readonly placeholder?: string;
  /** True for one that takes both columns; long texts always do. */
  readonly isWide?: boolean;
}

/** A text: of one line, of several, a secret, or typed in an input of its own, such as a choice of a dealer. */
interface ListedText extends Described {
  readonly kind: LineKind | "long" | "secret" | ComponentType<Omit<FieldProps<string>, "description">>;
  /** What one may want to type; any other is taken as well. */
  readonly suggestions?: readonly string[] | undefined;
}

interface ListedFlag extends Described {
  readonly kind: "flag";
}

interface ListedChoice<Word extends string> extends Described {
  readonly kind: "choice";
  readonly choices: Choices<Word>;
  /** What is changed by a choice, if it is more than the field. */
  readonly onChoose?: (word: Word) => void;
  /** What is shown as chosen, if it is not the field's value. */
  readonly chosen?: Word;
}

/** How a form shows a field with such a value. */
export type ListedField<Value> = [Value] extends [boolean]
  ? ListedFlag
  : [Value] extends [string]
    ? ListedText | ListedChoice<Value>
    : never;

/** A form's fields in their order, by name; those that are `false` or `undefined` are not shown. */
export type FieldList<Values extends object> = {
  readonly [Name in keyof Values]?: ListedField<Values[Name]> | false | undefined;
};

type AnyListed = ListedText | ListedFlag | ListedChoice<string>;
type Bound = Pick<FieldProps<never>, "path"> & { readonly value: unknown; readonly onChange: (value: never) => void };

/** The input of a field. The types of lists see to it that its value is of the field's kind. */
const inputOf = (field: AnyListed, bound: Bound): ReactNode => {
  const { label, hint, required, disabled, placeholder } = field;
  const props = {
    ...{ ...bound, label },
    ...(hint !== undefined && { description: hint }),
    ...(required !== undefined && { required }),
    ...(disabled !== undefined && { disabled }),
    ...(placeholder !== undefined && { placeholder }),
  };
  if (field.kind === "flag") return <CheckboxField {...(props as FieldProps<boolean>)} />;
  const text = props as FieldProps<string>;
  if (field.kind === "choice")
    return (
      <ChoiceField
        {...text}
        value={field.chosen ?? text.value}
        onChange={field.onChoose ?? text.onChange}
        options={field.choices}
      />
    );
  if (field.kind === "long") return <LongTextField {...text} />;
  if (field.kind === "secret") return <PasswordField {...text} autoComplete="new-password" />;
  if (typeof field.kind === "string") {
    const line = { ...text, ...LINES[field.kind] };
    const { suggestions } = field;
    return suggestions === undefined ? <TextField {...line} /> : <SuggestedField {...line} suggestions={suggestions} />;
  }
  const Input = field.kind;
  return <Input {...text} />;
};

interface FieldsProps<Values extends object> {
  readonly list: FieldList<Values>;
  readonly values: Values;
  readonly set: (changes: Partial<Values>) => void;
  /** Where the fields stand in the request, such as `options.`. */
  readonly under?: string;
}

/** The inputs of a list of fields. */
export const Fields = <Values extends object>({ list, values, set, under = "" }: FieldsProps<Values>) =>
  (Object.entries(list) as [keyof Values & string, AnyListed | false | undefined][]).map(([name, field]) => {
    if (field === false || field === undefined) return null;
    const onChange = (value: unknown): void => set({ [name]: value } as Partial<Values>);
    const input = inputOf(field, { path: `${under}${name}`, value: values[name], onChange });
    const isWide = field.isWide ?? field.kind === "long";
    return isWide ? (
      <div key={name} className="wide-field">
        {input}
      </div>
    ) : (
      <Fragment key={name}>{input}</Fragment>
    );
  });

/** A group of a form: its heading, its fields, and what stands across the full width below them. */
export interface ListedGroup<Values extends object> {
  readonly title: string;
  /** One sentence about the group. */
  readonly description?: string;
  readonly fields?: FieldList<Values>;
  /** Inputs of its own after the fields, in columns as they are. */
  readonly inputs?: ReactNode;
  readonly below?: ReactNode;
}

interface FieldGroupsProps<Values extends object> {
  readonly draft: Pick<ReturnType<typeof useDraft<Values>>, "values" | "set">;
  /** In their order; those that are `false` are not shown. */
  readonly groups: readonly (ListedGroup<Values> | false)[];
}

/** A form's fields by groups, as its lists say. */
export const FieldGroups = <Values extends object>({ draft, groups }: FieldGroupsProps<Values>) =>
  groups.map(
    (group) =>
      group !== false && (
        <FieldGroup
          key={group.title}
          title={group.title}
          {...(group.description !== undefined && { description: group.description })}
          fullWidth={group.below}
        >
          {(group.fields ?? group.inputs) !== undefined && (
            <>
              {group.fields !== undefined && <Fields list={group.fields} {...draft} />}
              {group.inputs}
            </>
          )}
        </FieldGroup>
      ),
  );
