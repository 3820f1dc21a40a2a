import { Checkbox, Combobox, NativeSelect, PasswordInput, Textarea, TextInput, useCombobox } from "@mantine/core";
import type { FocusEvent, HTMLInputAutoCompleteAttribute, HTMLInputTypeAttribute } from "react";
import { useIssue } from "./issues.tsx";
import { scrollForDropdown } from "./scroll-for-dropdown.ts";

/** The props of every form field. */
export interface FieldProps<Value> {
  /** The field's path in the request, as the server names it. */
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
  /** True if its text is selected when it gets the focus, so that typing replaces it. */
  readonly isSelected?: boolean;
}

/** The props of every input: its label, path and error. */
export const inputProps = <Value,>(
  { path, label, description, required, disabled }: FieldProps<Value>,
  error: string | undefined,
) => ({
  label,
  name: path,
  error,
  "aria-invalid": error !== undefined,
  ...(description !== undefined && { description }),
  // The style sheet draws the mark, so that it is no part of the label.
  ...(required && { required, withAsterisk: false, labelProps: { "data-wanted": true } }),
  ...(disabled && { disabled }),
});

const textInputProps = ({
  value,
  onChange,
  type,
  inputMode,
  autoComplete,
  placeholder,
  autoFocus,
  isSelected,
}: TextFieldProps) => ({
  value,
  onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  autoComplete: autoComplete ?? "off",
  ...(type !== undefined && { type }),
  ...(inputMode !== undefined && { inputMode }),
  ...(placeholder !== undefined && { placeholder }),
  ...(autoFocus && { "data-autofocus": true }),
  ...(isSelected && { onFocus: (event: FocusEvent<HTMLInputElement>) => event.currentTarget.select() }),
});

/** One line of text. Numbers, dates and addresses stay as typed until the server has checked them. */
export const TextField = (props: TextFieldProps) => (
  <TextInput {...inputProps(props, useIssue(props.path, props))} {...textInputProps(props)} />
);

const MAX_SUGGESTIONS = 8;

/** The suggestions with a word that starts with the input; all if the input is empty or a whole suggestion. */
const matchingSuggestions = (typed: string, suggestions: readonly string[]): readonly string[] => {
  const words = typed.trim().toLowerCase();
  const isWhole = suggestions.some((one) => one.toLowerCase() === words);
  return suggestions
    .filter((one) => isWhole || ` ${one.toLowerCase()}`.includes(` ${words}`))
    .slice(0, MAX_SUGGESTIONS);
};

/** One line of text with suggestions; users may type any other. */
export const SuggestedField = ({
  suggestions,
  ...props
}: TextFieldProps & { readonly suggestions: readonly string[] }) => {
  const list = useCombobox({
    onDropdownOpen: () => scrollForDropdown(list.targetRef.current),
    onDropdownClose: () => list.resetSelectedOption(),
  });
  const offered = matchingSuggestions(props.value, suggestions);
  return (
    <Combobox
      store={list}
      // In a dialog, screen readers ignore everything outside of it.
      withinPortal={false}
      keepMounted={false}
      // It may cover the form's buttons: it closes before the user gets to them.
      zIndex={6}
      transitionProps={{ duration: 0 }}
      onOptionSubmit={(chosen) => {
        props.onChange(chosen);
        list.closeDropdown();
      }}
    >
      <Combobox.Target autoComplete="off">
        <TextInput
          {...inputProps(props, useIssue(props.path, props))}
          {...textInputProps(props)}
          onChange={({ currentTarget: { value } }) => {
            props.onChange(value);
            if (suggestions.includes(value)) list.closeDropdown();
            else list.openDropdown();
            list.resetSelectedOption();
          }}
          onClick={() => list.openDropdown()}
          onBlur={() => list.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown className="choice" hidden={offered.length === 0}>
        {/* Not the field's own name, which must lead to the field alone. */}
        <Combobox.Options aria-label="Suggestions">
          {offered.map((one) => (
            <Combobox.Option key={one} value={one}>
              {one}
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
};

/** Several lines of text. */
export const LongTextField = (props: FieldProps<string>) => (
  <Textarea
    {...inputProps(props, useIssue(props.path, props))}
    value={props.value}
    onChange={(event) => props.onChange(event.currentTarget.value)}
    autosize={false}
    rows={4}
  />
);

/** A password, with a button that makes it visible. */
export const PasswordField = (props: TextFieldProps) => (
  <PasswordInput
    {...inputProps(props, useIssue(props.path, props))}
    {...textInputProps(props)}
    visibilityToggleButtonProps={{ "aria-label": "Show what is typed", tabIndex: 0, "aria-hidden": false }}
  />
);

/** A choice of one word. */
export const ChoiceField = <Word extends string>(
  props: FieldProps<Word> & { readonly options: readonly (readonly [word: Word, label: string])[] },
) => (
  <NativeSelect
    {...inputProps(props, useIssue(props.path, { ...props, isChosen: true }))}
    value={props.value}
    onChange={({ currentTarget }) => {
      const chosen = props.options.find(([word]) => word === currentTarget.value);
      if (chosen !== undefined) props.onChange(chosen[0]);
    }}
    data={props.options.map(([value, label]) => ({ value, label }))}
  />
);

/** A checkbox. */
export const CheckboxField = (props: FieldProps<boolean>) => (
  <Checkbox
    {...inputProps(props, useIssue(props.path, { ...props, isChosen: true }))}
    checked={props.value}
    onChange={(event) => props.onChange(event.currentTarget.checked)}
  />
);
