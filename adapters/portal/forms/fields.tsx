import { Checkbox, NativeSelect, PasswordInput, Textarea, TextInput } from "@mantine/core";
import type { HTMLInputAutoCompleteAttribute, HTMLInputTypeAttribute } from "react";
import { useIssue } from "./issues.tsx";

interface FieldProps<Value> {
  /** The field's path in what is sent, as the server names it. */
  readonly path: string;
  readonly label: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly description?: string;
  readonly required?: boolean;
  readonly disabled?: boolean;
}

interface TextFieldProps extends FieldProps<string> {
  readonly type?: HTMLInputTypeAttribute;
  readonly inputMode?: "numeric" | "decimal" | "url" | "email";
  readonly autoComplete?: HTMLInputAutoCompleteAttribute;
  readonly placeholder?: string;
  readonly autoFocus?: boolean;
}

const common = <Value,>(
  { path, label, description, required, disabled }: FieldProps<Value>,
  error: string | undefined,
) => ({
  label,
  name: path,
  error,
  "aria-invalid": error !== undefined,
  ...(description !== undefined && { description }),
  // The mark is the style sheet's, so that the label stays the label.
  ...(required && { required, withAsterisk: false, labelProps: { "data-wanted": true } }),
  ...(disabled && { disabled }),
});

const texts = ({ value, onChange, type, inputMode, autoComplete, placeholder, autoFocus }: TextFieldProps) => ({
  value,
  onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  autoComplete: autoComplete ?? "off",
  ...(type !== undefined && { type }),
  ...(inputMode !== undefined && { inputMode }),
  ...(placeholder !== undefined && { placeholder }),
  ...(autoFocus && { "data-autofocus": true }),
});

/** One line of text; also numbers, dates and addresses, which stay as typed until the server has judged them. */
export const TextField = (props: TextFieldProps) => (
  <TextInput {...common(props, useIssue(props.path, props))} {...texts(props)} />
);

/** Text of several lines. */
export const LongTextField = (props: FieldProps<string>) => (
  <Textarea
    {...common(props, useIssue(props.path, props))}
    value={props.value}
    onChange={(event) => props.onChange(event.currentTarget.value)}
    autosize={false}
    rows={4}
  />
);

/** A password, which can be made visible. */
export const PasswordField = (props: TextFieldProps) => (
  <PasswordInput
    {...common(props, useIssue(props.path, props))}
    {...texts(props)}
    visibilityToggleButtonProps={{ "aria-label": "Show what is typed", tabIndex: 0, "aria-hidden": false }}
  />
);

/** One of a few words. */
export const ChoiceField = <Word extends string>(
  props: FieldProps<Word> & { readonly options: readonly (readonly [word: Word, label: string])[] },
) => (
  <NativeSelect
    {...common(props, useIssue(props.path, { ...props, isChosen: true }))}
    value={props.value}
    onChange={({ currentTarget }) => {
      const chosen = props.options.find(([word]) => word === currentTarget.value);
      if (chosen !== undefined) props.onChange(chosen[0]);
    }}
    data={props.options.map(([value, label]) => ({ value, label }))}
  />
);

/** Yes or no. */
export const YesField = (props: FieldProps<boolean>) => (
  <Checkbox
    {...common(props, useIssue(props.path, { ...props, isChosen: true }))}
    checked={props.value}
    onChange={(event) => props.onChange(event.currentTarget.checked)}
  />
);
