import { useState } from "react";
import type { PresentedUser } from "../../../core/users/user.ts";
import { change } from "../api/client.ts";
import type { SentInvitation } from "../api/responses.ts";
import { useDraft } from "../forms/draft.ts";
import { NewRecordPage } from "../forms/new-record-page.tsx";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { InvitationDialog } from "./invitation-dialog.tsx";
import { bodyOfUser, emptyUser } from "./user-draft.ts";
import { UserFields } from "./user-fields.tsx";

/** Creates a user and the link with which they choose their password. */
export const NewUserPage = () => {
  const { user } = useSession();
  const draft = useDraft(emptyUser(user));
  const [createdUser, setCreatedUser] = useState<PresentedUser | null>(null);
  const invite = async () => {
    // If only the link failed, the user exists already: another try must not create a second user.
    const invited =
      createdUser ??
      (await change<PresentedUser>("POST", "/users", bodyOfUser(draft.values, bindingOf(user) === null)));
    setCreatedUser(invited);
    return { invited, invitation: await change<SentInvitation>("POST", `/users/${invited.id}/invitation`) };
  };
  return (
    <NewRecordPage
      title="Invite a user"
      breadcrumbs={[["Users", "/users"]]}
      submit="Invite"
      draft={draft}
      create={invite}
      pageOf={({ invited }) => `/users/${invited.id}`}
      showOnce={({ invited, invitation }, onClose) => (
        <InvitationDialog name={invited.name} invitation={invitation} onClose={onClose} />
      )}
    >
      <UserFields draft={draft} />
    </NewRecordPage>
  );
};
