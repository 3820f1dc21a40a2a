import { useState } from "react";
import { useLocation } from "wouter";
import type { PresentedUser } from "../../../core/users/user.ts";
import { change } from "../api/client.ts";
import type { SentInvitation } from "../api/responses.ts";
import { useDraft } from "../forms/draft.ts";
import { FormPage } from "../forms/form-page.tsx";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { InvitationDialog } from "./invitation-dialog.tsx";
import { bodyOfUser, emptyUser } from "./user-draft.ts";
import { UserFields } from "./user-fields.tsx";

/** Creates a user and the link with which they choose their password. */
export const NewUserPage = () => {
  const [, go] = useLocation();
  const { user } = useSession();
  const draft = useDraft(emptyUser(user));
  const [createdUser, setCreatedUser] = useState<PresentedUser | null>(null);
  const [invitation, setInvitation] = useState<SentInvitation | null>(null);
  const invite = async (): Promise<void> => {
    // If only the link failed, the user exists already: another try must not create a second user.
    const invited =
      createdUser ??
      (await change<PresentedUser>("POST", "/users", bodyOfUser(draft.values, bindingOf(user) === null)));
    setCreatedUser(invited);
    setInvitation(await change<SentInvitation>("POST", `/users/${invited.id}/invitation`));
  };
  return (
    <FormPage
      title="Invite a user"
      breadcrumbs={[["Users", "/users"]]}
      submit="Invite"
      cancelTo="/users"
      isChanged={draft.isChanged && invitation === null}
      onSubmit={invite}
      dialogs={
        createdUser !== null &&
        invitation !== null && (
          <InvitationDialog
            name={createdUser.name}
            invitation={invitation}
            onClose={() => go(`/users/${createdUser.id}`)}
          />
        )
      }
    >
      <UserFields draft={draft} />
    </FormPage>
  );
};
