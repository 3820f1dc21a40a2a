import type { ReactNode } from "react";
import { LinkButton } from "../page/link.tsx";
import { Page, type PageProps } from "../page/page.tsx";
import { Form } from "./form.tsx";

interface FormPageProps extends Pick<PageProps, "title" | "breadcrumbs" | "subtitle" | "children"> {
  readonly submit: string;
  /** Sends the input. After a refusal the form keeps the input and shows why. */
  readonly onSubmit: () => Promise<unknown>;
  /** True if leaving would lose input: then the page asks first. */
  readonly isChanged: boolean;
  /** The page that Cancel opens. */
  readonly cancelTo: string;
  readonly disabled?: boolean;
  /** Dialogs that open after the form was sent. */
  readonly dialogs?: ReactNode;
}

/** A page with one form in groups of fields; its buttons stay visible. */
export const FormPage = ({
  submit,
  onSubmit,
  isChanged,
  cancelTo,
  disabled,
  dialogs,
  children,
  ...page
}: FormPageProps) => (
  <Page {...page}>
    <div className="form-page">
      <Form
        label={page.title}
        submit={submit}
        isChanged={isChanged}
        onSubmit={onSubmit}
        {...(disabled !== undefined && { disabled })}
        secondaryAction={
          <LinkButton to={cancelTo} variant="default">
            Cancel
          </LinkButton>
        }
      >
        {children}
      </Form>
    </div>
    {dialogs}
  </Page>
);
