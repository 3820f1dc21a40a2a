import { change } from "../api/client.ts";
import { useDraft } from "../forms/draft.ts";
import { PasswordField, TextField } from "../forms/fields.tsx";
import { Form } from "../forms/form.tsx";
import { notify } from "../page/notify.tsx";
import { Section } from "../page/section.tsx";

const EMPTY = { email: "", password: "" };

/** Changes the user's own email address, for users who may change users. */
export const EmailSection = () => {
  const { values, set, bind, isChanged } = useDraft(EMPTY);
  const save = async (): Promise<void> => {
    const email = values.email.trim();
    await change("PUT", "/email", { email, password: values.password });
    set(EMPTY);
    notify(`You sign in as ${email} now.`);
  };
  return (
    <Section title="Email">
      <Form
        label="Change the email address"
        submit="Change the address"
        isChanged={isChanged}
        isSecondary
        onSubmit={save}
      >
        <TextField {...bind("email")} label="New email address" type="email" autoComplete="email" required />
        <PasswordField {...bind("password")} label="Your password" autoComplete="current-password" required />
      </Form>
    </Section>
  );
};
