import { useState } from "react";
import type { Role } from "../../../core/permissions.ts";
import type { PresentedUser } from "../../../core/users/user.ts";
import { type ChangedUser, type NewSecret, ROLE_LABELS } from "../api/responses.ts";
import { DealerName } from "../choices/dealer-choice.tsx";
import { EditRecord } from "../forms/edit-record.tsx";
import type { RecordDialogProps } from "../forms/record-dialogs.tsx";
import { SecretsDialog } from "../keys/secret-dialogs.tsx";
import { notify } from "../page/notify.tsx";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { EndUserSecrets, useKeysOf } from "./end-user-secrets.tsx";
import { bodyOfUser, draftOfUser, gainedAccess, type UserDraft } from "./user-draft.ts";
import { UserFields } from "./user-fields.tsx";

interface NewSecretsDialogProps {
  /** The name of the user to whom the keys belong. */
  readonly name: string;
  readonly secrets: readonly NewSecret[];
  readonly onClose: () => void;
}

/** Shows the new secrets of a user's keys once. */
const NewSecretsDialog = ({ name, ...dialogProps }: NewSecretsDialogProps) => (
  <SecretsDialog title={`The new secrets of ${name}`} before="The secrets from before have ended." {...dialogProps} />
);

/** Changes a user. Proposes to rotate the keys of a user who gains access. */
export const EditUser = ({ record, onClose }: RecordDialogProps<PresentedUser>) => {
  const { user } = useSession();
  const { count, mayRotate } = useKeysOf(record.id);
  const mayChoose = bindingOf(user) === null;
  const [rotatesKeys, setRotatesKeys] = useState(true);
  const [changed, setChanged] = useState<Required<ChangedUser> | null>(null);
  if (changed !== null) return <NewSecretsDialog name={changed.name} secrets={changed.keys} onClose={onClose} />;

  const gainOf = (values: UserDraft) => (mayRotate ? gainedAccess(draftOfUser(record), values) : null);
  return (
    <EditRecord
      record={record}
      onClose={onClose}
      resource="users"
      path={`/users/${record.id}`}
      draftOf={draftOfUser}
      bodyOf={(values) => bodyOfUser(values, mayChoose)}
      nameOf={({ name }) => name}
      more={({ draft }) => (gainOf(draft.values) !== null && rotatesKeys ? { rotate_keys: true } : {})}
      onSaved={({ keys = [], ...after }: ChangedUser) => {
        notify(`${after.name} is saved.`);
        if (keys.length === 0) onClose();
        else setChanged({ ...after, keys });
      }}
      valueRenderers={{ dealer_id: (id) => <DealerName id={Number(id)} />, role: (role) => ROLE_LABELS[role as Role] }}
    >
      {({ draft }) => {
        const gain = gainOf(draft.values);
        return (
          <>
            <UserFields draft={draft} isSelf={user.id === record.id} />
            {gain !== null && (
              <EndUserSecrets record={record} gain={gain} count={count} value={rotatesKeys} onChange={setRotatesKeys} />
            )}
          </>
        );
      }}
    </EditRecord>
  );
};
