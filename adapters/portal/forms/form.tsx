import { Alert, Button, Group, List, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { ApiError, type Issue } from "../api/client.ts";
import { issueMessage, labelOfPath } from "./issue-messages.ts";
import { FieldsProvider, isAbout } from "./issues.tsx";
import { useOpenForm } from "./unsaved.ts";

interface FormProps {
  /** The form's name for those who do not see it. */
  readonly label: string;
  readonly submit: string;
  /** Sends what was typed; a refusal is shown, and everything typed stays. */
  readonly onSubmit: () => Promise<unknown>;
  readonly danger?: boolean;
  /** True on a page whose main action is another. */
  readonly isSecondary?: boolean;
  /** True when leaving the page would lose something: then it asks first. */
  readonly isChanged?: boolean;
  /** What stands beside the button. */
  readonly secondaryAction?: ReactNode;
  readonly disabled?: boolean;
  /** The path of the field that has the focus first, where the form is in a dialog. */
  readonly focus?: string;
  readonly children?: ReactNode;
}

/** The refusal of a change to what somebody else changed meanwhile; a form that edits tells it with its own notice. */
export const CHANGED_MEANWHILE = "changed_meanwhile";

/** Refusals that pass by themselves: no answer, too many requests, a service that is just starting. */
const isTemporary = ({ status }: ApiError): boolean => status === 0 || status === 429 || status >= 500;

const refusalOf = (error: Error): ApiError =>
  error instanceof ApiError
    ? error
    : new ApiError({ status: 0, code: "unexpected", sentence: "Something went wrong in this page. Try again." });

/** A fault for which there is no field. */
const issueText = ({ path, message }: Issue): string => {
  const label = labelOfPath(path);
  const words = issueMessage({ path, message }, { label });
  return path === "" ? words : `${label}: ${words}`;
};

const NO_ISSUES: readonly Issue[] = [];

/** What was refused and not said at a field. */
const RefusalAlert = ({ refusal, issues }: { refusal: ApiError; issues: readonly Issue[] }) => (
  <Alert color="red" variant="light" title="Not accepted" role="alert" tabIndex={-1} data-refusal className="refusal">
    {refusal.details.length > issues.length
      ? "Please look at the fields marked below."
      : issues.length === 0 && refusal.sentence}
    {issues.length > 0 && (
      <List size="sm" mt="xs">
        {issues.map(({ path, message }) => (
          <List.Item key={`${path} ${message}`}>{issueText({ path, message })}</List.Item>
        ))}
      </List>
    )}
    {refusal.retrySeconds !== null && ` Try again in ${refusal.retrySeconds} seconds.`}
    {isTemporary(refusal) && (
      <>
        {" What you have typed is kept."}
        <div>
          <Button type="submit" size="compact-sm" variant="default" mt="xs">
            Try again
          </Button>
        </div>
      </>
    )}
  </Alert>
);

/** A form that says what the server says: at the fields it names, the rest on top; the first of these gets the focus. */
export const Form = ({
  label,
  submit,
  onSubmit,
  danger,
  isSecondary,
  isChanged = false,
  secondaryAction,
  disabled,
  focus,
  children,
}: FormProps) => {
  const form = useRef<HTMLFormElement>(null);
  const [claimed, setClaimed] = useState<readonly string[]>([]);
  const submission = useMutation({ mutationFn: onSubmit });
  useOpenForm(isChanged, submission.isPending);
  const refusal = submission.error === null ? null : refusalOf(submission.error);
  const details = refusal?.details ?? NO_ISSUES;
  const unclaimed = details.filter((issue) => !claimed.some((path) => isAbout(issue, path)));

  useLayoutEffect(() => {
    // The dialog looks for it once everything is there.
    if (focus !== undefined)
      form.current?.querySelector(`[name="${CSS.escape(focus)}"]`)?.setAttribute("data-autofocus", "true");
  }, [focus]);

  useEffect(() => {
    if (refusal === null) return;
    form.current
      ?.querySelector<HTMLElement>("[aria-invalid=true], [data-refusal]:not(:has(~ * [aria-invalid=true]))")
      ?.focus();
  }, [refusal]);

  const send = (event: FormEvent): void => {
    event.preventDefault();
    // A form in a dialog is, for React, within the form that opened it.
    event.stopPropagation();
    if (!submission.isPending) submission.mutate();
  };

  return (
    <form ref={form} aria-label={label} noValidate onSubmit={send}>
      <FieldsProvider issues={details} setClaimed={setClaimed}>
        <Stack>
          {refusal !== null && refusal.code !== CHANGED_MEANWHILE && (
            <RefusalAlert refusal={refusal} issues={unclaimed} />
          )}
          {children}
          <Group gap="xs" className="form-actions">
            <Button
              type="submit"
              loading={submission.isPending}
              disabled={disabled ?? false}
              {...(danger && { color: "red" })}
              {...(isSecondary && { variant: "default" })}
            >
              {submit}
            </Button>
            {secondaryAction}
          </Group>
        </Stack>
      </FieldsProvider>
    </form>
  );
};
