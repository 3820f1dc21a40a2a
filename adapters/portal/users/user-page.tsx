import { Button, Text } from "@mantine/core";
import { admit } from "../../../core/access/decide.ts";
import type { Named } from "../../../core/names/names.ts";
import type { PresentedUser } from "../../../core/users/user.ts";
import { useRecord } from "../api/queries.ts";
import { type Account, ROLE_LABELS } from "../api/responses.ts";
import { AuditTrail } from "../audit/audit-trail.tsx";
import { DealerLink } from "../choices/dealer-choice.tsx";
import { useRecordDialogs } from "../forms/record-dialogs.tsx";
import { Facts } from "../page/facts.tsx";
import { PageLink } from "../page/link.tsx";
import { Notice } from "../page/notice.tsx";
import { Page } from "../page/page.tsx";
import { QueryResult } from "../page/query-result.tsx";
import { RecordPage } from "../page/record-page.tsx";
import { Section } from "../page/section.tsx";
import { PermissionTable } from "../permissions/permissions.tsx";
import { powersOf } from "../session/powers.ts";
import { useMay, useSession } from "../session/session.tsx";
import { DateTime } from "../times/times.tsx";
import { EditUser } from "./edit-user.tsx";
import { LeaveNotice } from "./leave-notice.tsx";
import { SessionList } from "./session-list.tsx";
import { ActivateUser, InviteAgain, OffboardUser, ResetSecondFactor } from "./user-dialogs.tsx";
import { UserKeys } from "./user-keys.tsx";
import { UserStateBadge } from "./user-state.tsx";

const DIALOGS = {
  edit: EditUser,
  activate: ActivateUser,
  invite: InviteAgain,
  reset: ResetSecondFactor,
  leave: OffboardUser,
};

const accountFacts = (account: Account) =>
  [
    ["Password", account.has_password ? "Chosen" : "Not chosen yet"],
    ["Second factor", account.second_factor ? "On" : "Off"],
    [
      "Invitation",
      account.invited_until === null ? "None open" : <DateTime key="invited" at={account.invited_until} />,
    ],
    [
      "Locked until",
      account.locked_until === null ? "Not locked" : <DateTime key="locked" at={account.locked_until} />,
    ],
  ] as const;

const BREADCRUMBS = [["Users", "/users"]] as const;

const lineOf = ({ email, role, dealer_name }: Named<PresentedUser>): string =>
  [email, ROLE_LABELS[role], dealer_name].filter((fact) => fact !== null).join(" · ");

/** How a user signs in, with a reset for users who lost their second factor. */
const SignInSection = ({ id, onReset }: { id: number; onReset: (() => void) | null }) => {
  const account = useRecord<Account>(`/users/${id}/account`);
  return (
    <Section
      title="Sign-in"
      actions={
        onReset !== null &&
        account.data?.second_factor && (
          <Button size="compact-sm" variant="default" onClick={onReset}>
            Reset the second factor
          </Button>
        )
      }
    >
      <QueryResult query={account} lines={2}>
        {(data) => <Facts facts={accountFacts(data)} />}
      </QueryResult>
    </Section>
  );
};

const UserFacts = ({
  record: { email, role, dealer_id, dealer_name, created_at },
}: {
  record: Named<PresentedUser>;
}) => (
  <Section title="Facts">
    <Facts
      facts={[
        ["Email", email],
        ["Role", ROLE_LABELS[role]],
        ["Dealer", dealer_id === null ? "None" : <DealerLink key="dealer" id={dealer_id} name={dealer_name} />],
        ["Created", <DateTime key="created" at={created_at} />],
      ]}
    />
  </Section>
);

const UserView = ({ record }: { record: Named<PresentedUser> }) => {
  const may = useMay();
  const { user } = useSession();
  const mayWrite = may("users:write");
  const isSelf = user.id === record.id;
  // Users change their own sign-in on the account page, which asks for the password.
  const mayManage = mayWrite && !isSelf;
  const mayOffboard = !isSelf && admit(powersOf(user), "user.leave") === null;
  const { open, dialog } = useRecordDialogs(DIALOGS, record);
  const buttons: readonly (readonly [offered: boolean, label: string, keyof typeof DIALOGS])[] = [
    [mayManage, "New invitation link", "invite"],
    [mayOffboard && record.active, "Deactivate user…", "leave"],
    [mayWrite && !record.active, "Activate", "activate"],
    [mayWrite, "Edit", "edit"],
  ];
  return (
    <RecordPage
      title={record.name}
      breadcrumbs={BREADCRUMBS}
      state={<UserStateBadge record={record} />}
      subtitle={lineOf(record)}
      actions={buttons
        .filter(([offered]) => offered)
        .map(([, label, action], at, { length }) => (
          // The last button is the main one.
          <Button key={label} variant={at === length - 1 ? "filled" : "default"} onClick={() => open(action)}>
            {label}
          </Button>
        ))}
      above={
        isSelf ? (
          <Notice title="This is you">
            <Text size="sm">Your password, address, second factor and sessions have a page of their own.</Text>
            <PageLink to="/account">Your account</PageLink>
          </Notice>
        ) : (
          !record.active && <LeaveNotice record={record} mayUndo={mayOffboard} />
        )
      }
      aside={
        <>
          <UserFacts record={record} />
          <SignInSection id={record.id} onReset={mayManage ? () => open("reset") : null} />
          <PermissionTable pairs={record.permissions} />
        </>
      }
      below={may("audit:read") && <AuditTrail resource="users" id={record.id} />}
    >
      {may("keys:read") && <UserKeys userId={record.id} />}
      <SessionList path={`/users/${record.id}/sessions`} endAll="End all sessions" readOnly={!mayManage} />
      {dialog}
    </RecordPage>
  );
};

/** The page of one user: their keys and sessions, their sign-in and permissions, their history last. */
export const UserPage = ({ id }: { id: string }) => {
  const user = useRecord<Named<PresentedUser>>(`/users/${id}`, { include: "names" });
  if (user.data !== undefined) return <UserView record={user.data} />;
  return (
    <Page title="User" breadcrumbs={BREADCRUMBS}>
      <QueryResult query={user}>{() => null}</QueryResult>
    </Page>
  );
};
