import { Button, Text } from "@mantine/core";
import { useState } from "react";
import type { PresentedUser } from "../../../core/users/user.ts";
import { type Account, ROLE_WORDS } from "../api/answers.ts";
import { useRecord } from "../api/queries.ts";
import { AuditTrail } from "../audit/audit-trail.tsx";
import { DealerLink } from "../dealers/dealer-choice.tsx";
import { Answered } from "../lists/answered.tsx";
import { Moment } from "../moments/moment.tsx";
import { HeldPermissions } from "../permissions/held.tsx";
import { useMay, useSession } from "../session/session.tsx";
import { Facts } from "../shell/facts.tsx";
import { PageLink } from "../shell/link.tsx";
import { Notice } from "../shell/notice.tsx";
import { Page } from "../shell/page.tsx";
import { Section } from "../shell/section.tsx";
import { EditUser } from "./edit-user.tsx";
import { SessionList } from "./session-list.tsx";
import { ActivateUser, InviteAgain, LeaveDialog, ResetSecondFactor } from "./user-dialogs.tsx";
import { UserKeys } from "./user-keys.tsx";
import { UserStateBadge } from "./user-state.tsx";

type Doing = "edit" | "activate" | "invite" | "reset" | "leave";

const DIALOGS = {
  edit: EditUser,
  activate: ActivateUser,
  invite: InviteAgain,
  reset: ResetSecondFactor,
  leave: LeaveDialog,
};

const accountFacts = (account: Account) =>
  [
    ["Password", account.has_password ? "Chosen" : "Not chosen yet"],
    ["Second factor", account.second_factor ? "On" : "Off"],
    ["Invitation", account.invited_until === null ? "None open" : <Moment key="invited" at={account.invited_until} />],
    ["Locked until", account.locked_until === null ? "Not locked" : <Moment key="locked" at={account.locked_until} />],
  ] as const;

const UserView = ({ record }: { record: PresentedUser }) => {
  const may = useMay();
  const mayWrite = may("users:write");
  const isSelf = useSession().user.id === record.id;
  // The own sign-in is changed on the account page, which asks for the password.
  const mayManage = mayWrite && !isSelf;
  const [doing, setDoing] = useState<Doing | null>(null);
  const account = useRecord<Account>(`/users/${record.id}/account`);
  const Asking = doing === null ? null : DIALOGS[doing];
  return (
    <Page
      title={record.name}
      actions={
        mayWrite && (
          <>
            <Button variant="default" onClick={() => setDoing("edit")}>
              Edit
            </Button>
            {mayManage && (
              <Button variant="default" onClick={() => setDoing("invite")}>
                New invitation link
              </Button>
            )}
            {!record.active && <Button onClick={() => setDoing("activate")}>Activate</Button>}
            {mayManage && record.active && (
              <Button color="red" onClick={() => setDoing("leave")}>
                Deactivate user…
              </Button>
            )}
          </>
        )
      }
    >
      {isSelf && (
        <Notice title="This is you">
          <Text size="sm">Your password, address, second factor and sessions have a page of their own.</Text>
          <PageLink to="/account">Your account</PageLink>
        </Notice>
      )}
      <Section title="Facts">
        <Facts
          facts={[
            ["Status", <UserStateBadge key="status" record={record} />],
            ["Email", record.email],
            ["Role", ROLE_WORDS[record.role]],
            ["Dealer", record.dealer_id === null ? "None" : <DealerLink key="dealer" id={record.dealer_id} />],
            ["Created", <Moment key="created" at={record.created_at} />],
          ]}
        />
      </Section>
      <Section
        title="Sign-in"
        actions={
          mayManage &&
          account.data?.second_factor && (
            <Button size="compact-sm" variant="default" onClick={() => setDoing("reset")}>
              Reset the second factor
            </Button>
          )
        }
      >
        <Answered query={account} lines={2}>
          {(data) => <Facts facts={accountFacts(data)} />}
        </Answered>
      </Section>
      <SessionList path={`/users/${record.id}/sessions`} endAll="End all sessions" readOnly={!mayManage} />
      <HeldPermissions pairs={record.permissions} />
      {may("keys:read") && <UserKeys userId={record.id} />}
      {may("audit:read") && <AuditTrail resource="users" id={record.id} />}
      {Asking !== null && <Asking record={record} onClose={() => setDoing(null)} />}
    </Page>
  );
};

/** Everything about one user. */
export const UserPage = ({ id }: { id: string }) => {
  const user = useRecord<PresentedUser>(`/users/${id}`);
  if (user.data !== undefined) return <UserView record={user.data} />;
  return (
    <Page title="User">
      <Answered query={user}>{() => null}</Answered>
    </Page>
  );
};
