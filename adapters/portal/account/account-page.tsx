import { Text } from "@mantine/core";
import { ROLE_WORDS } from "../api/answers.ts";
import { ApiError, change } from "../api/client.ts";
import { useDraft } from "../forms/draft.ts";
import { PasswordField } from "../forms/fields.tsx";
import { Form } from "../forms/form.tsx";
import { useMay, useSession } from "../session/session.tsx";
import { sayDone } from "../shell/done.ts";
import { Facts } from "../shell/facts.tsx";
import { Page } from "../shell/page.tsx";
import { Section } from "../shell/section.tsx";
import { SessionList } from "../users/session-list.tsx";
import { EmailSection } from "./email-section.tsx";
import { SecondFactorSection } from "./second-factor.tsx";

const EMPTY = { current_password: "", new_password: "", again: "" };

const PasswordSection = () => {
  const { values, set, bind } = useDraft(EMPTY);
  const save = async (): Promise<void> => {
    if (values.new_password !== values.again)
      throw new ApiError({
        status: 400,
        code: "invalid_input",
        sentence: "The passwords differ",
        details: [{ path: "again", message: "is not the same password" }],
      });
    const { current_password, new_password } = values;
    await change("PUT", "/password", { current_password, new_password });
    set(EMPTY);
    sayDone("The password is changed. All your other sessions have ended.");
  };
  return (
    <Section title="Password">
      <Form label="Change the password" submit="Change the password" onSubmit={save}>
        <PasswordField
          {...bind("current_password")}
          label="Current password"
          autoComplete="current-password"
          required
        />
        <PasswordField
          {...bind("new_password")}
          label="New password"
          description="12 characters or more; several words that do not belong together are best"
          autoComplete="new-password"
          required
        />
        <PasswordField {...bind("again")} label="New password again" autoComplete="new-password" required />
      </Form>
    </Section>
  );
};

/** The account of the signed-in user. */
export const AccountPage = () => {
  const { user, dealer, version } = useSession();
  const may = useMay();
  return (
    <Page title="Account">
      <Section title="You">
        <Facts
          facts={[
            ["Name", user.name],
            ["Email", user.email],
            ["Role", ROLE_WORDS[user.role]],
            ["Dealer", dealer?.name ?? "None"],
          ]}
        />
      </Section>
      <PasswordSection />
      {may("users:write") && <EmailSection />}
      <SecondFactorSection />
      <SessionList path="/sessions" endAll="End all other sessions" />
      <Text size="sm">Vehicle Inventory {version}</Text>
    </Page>
  );
};
