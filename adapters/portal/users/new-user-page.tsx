import { useState } from "react";
import { useLocation } from "wouter";
import type { PresentedUser } from "../../../core/users/user.ts";
import type { SentInvitation } from "../api/answers.ts";
import { change } from "../api/client.ts";
import { useDraft } from "../forms/draft.ts";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { FormPage } from "../shell/form-page.tsx";
import { InvitationDialog } from "./invitation-dialog.tsx";
import { bodyOfUser, emptyUser } from "./user-draft.ts";
import { UserFields } from "./user-fields.tsx";

/** Creates a user and the link with which they choose their password. */
export const NewUserPage = () => {
  const [, go] = useLocation();
  const { user } = useSession();
  const draft = useDraft(emptyUser(user));
  const [made, setMade] = useState<PresentedUser | null>(null);
  const [invitation, setInvitation] = useState<SentInvitation | null>(null);
  const invite = async (): Promise<void> => {
    // The user exists already when only the link failed: a second try must not create a second user.
    const invited =
      made ?? (await change<PresentedUser>("POST", "/users", bodyOfUser(draft.values, bindingOf(user) === null)));
    setMade(invited);
    setInvitation(await change<SentInvitation>("POST", `/users/${invited.id}/invitation`));
  };
  return (
    <FormPage
      title="Invite a user"
      trail={[["Users", "/users"]]}
      submit="Invite"
      cancel="/users"
      isChanged={draft.isChanged && invitation === null}
      onSubmit={invite}
      after={
        made !== null &&
        invitation !== null && (
          <InvitationDialog name={made.name} invitation={invitation} onClose={() => go(`/users/${made.id}`)} />
        )
      }
    >
      <UserFields draft={draft} />
    </FormPage>
  );
};
