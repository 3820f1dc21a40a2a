import { Text } from "@mantine/core";
import { change } from "../api/client.ts";
import { ROLE_LABELS } from "../api/responses.ts";
import { useDraft } from "../forms/draft.ts";
import { PasswordField } from "../forms/fields.tsx";
import { Form } from "../forms/form.tsx";
import { throwIfIssues } from "../forms/throw-if-issues.ts";
import { Facts } from "../page/facts.tsx";
import { PageLink } from "../page/link.tsx";
import { notify } from "../page/notify.tsx";
import { RecordPage } from "../page/record-page.tsx";
import { Section } from "../page/section.tsx";
import { useMay, useSession } from "../session/session.tsx";
import { SessionList } from "../users/session-list.tsx";
import { EmailSection } from "./email-section.tsx";
import { SecondFactorSection } from "./second-factor.tsx";

const EMPTY = { current_password: "", new_password: "", again: "" };

const PasswordSection = () => {
  const { values, set, bind, isChanged } = useDraft(EMPTY);
  const save = async (): Promise<void> => {
    const differ = values.new_password !== values.again;
    throwIfIssues(differ ? [{ path: "again", message: "is not the same password" }] : []);
    const { current_password, new_password } = values;
    await change("PUT", "/password", { current_password, new_password });
    set(EMPTY);
    notify("The password is changed. All your other sessions have ended.");
  };
  return (
    <Section title="Password">
      <Form label="Change the password" submit="Change the password" isChanged={isChanged} isSecondary onSubmit={save}>
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
    <RecordPage
      title="Account"
      subtitle={user.email}
      aside={
        <>
          <Section title="You">
            <Facts
              facts={[
                [
                  "Name",
                  may("users:read") ? (
                    <PageLink key="name" to={`/users/${user.id}`}>
                      {user.name}
                    </PageLink>
                  ) : (
                    user.name
                  ),
                ],
                ["Email", user.email],
                ["Role", ROLE_LABELS[user.role]],
                ["Dealer", dealer?.name ?? "None"],
              ]}
            />
          </Section>
          <SecondFactorSection />
        </>
      }
      below={<Text size="sm">Vehicle Inventory {version}</Text>}
    >
      <PasswordSection />
      {may("users:write") && <EmailSection />}
      <SessionList path="/sessions" endAll="End all other sessions" />
    </RecordPage>
  );
};
