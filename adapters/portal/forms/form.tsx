import { Alert, Button, Group, List, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { ApiError, type Issue } from "../api/client.ts";
import { issueMessage, labelOfPath } from "./issue-messages.ts";
import { FieldsProvider, isAbout } from "./issues.tsx";
import { useOpenForm } from "./unsaved.ts";

interface FormProps {
  /** The form's name for screen readers. */
  readonly label: string;
  readonly submit: string;
  /** Sends the input. After a refusal the form keeps the input and shows why. */
  readonly onSubmit: () => Promise<unknown>;
  readonly danger?: boolean;
  /** True if the page has another main action. */
  readonly isSecondary?: boolean;
  /** True if leaving would lose input: then the page asks first. */
  readonly isChanged?: boolean;
  /** An action beside the submit button, such as Cancel. */
  readonly secondaryAction?: ReactNode;
  readonly disabled?: boolean;
  /** The path of the field that gets the focus first in a dialog. */
  readonly focus?: string;
  readonly children?: ReactNode;
}

/** The error code of an edit conflict; edit forms show it with a notice of their own. */
export const CHANGED_MEANWHILE = "changed_meanwhile";

/** Temporary failures: no response, too many requests, or a service that is starting. */
const isTemporary = ({ status }: ApiError): boolean => status === 0 || status === 429 || status >= 500;

const refusalOf = (error: Error): ApiError =>
  error instanceof ApiError
    ? error
    : new ApiError({ status: 0, code: "unexpected", sentence: "Something went wrong in this page. Try again." });

/** The text of an issue that no field shows. */
const issueText = ({ path, message }: Issue): string => {
  const label = labelOfPath(path);
  const words = issueMessage({ path, message }, { label });
  return path === "" ? words : `${label}: ${words}`;
};

const NO_ISSUES: readonly Issue[] = [];

/** The refusal, with the issues that no field shows. */
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

/** A form that shows the server's issues at their fields and the others at its top. The first one gets the focus. */
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
    if (focus === undefined) return;
    const field = form.current?.querySelector(`[name="${CSS.escape(focus)}"]`);
    // The dialog looks for this attribute once it is mounted. It scrolls nothing, and its head would lie over the field.
    field?.setAttribute("data-autofocus", "true");
    field?.addEventListener("focus", () => field.scrollIntoView({ block: "center" }), { once: true });
  }, [focus]);

  useEffect(() => {
    if (refusal === null) return;
    form.current
      ?.querySelector<HTMLElement>("[aria-invalid=true], [data-refusal]:not(:has(~ * [aria-invalid=true]))")
      ?.focus();
  }, [refusal]);

  const send = (event: FormEvent): void => {
    event.preventDefault();
    // React lets events of a form in a dialog bubble to the form that opened it.
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
