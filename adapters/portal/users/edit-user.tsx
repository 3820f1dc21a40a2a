import { useState } from "react";
import type { PresentedUser } from "../../../core/users/user.ts";
import type { ChangedUser } from "../api/answers.ts";
import { change } from "../api/client.ts";
import { FormDialog } from "../forms/dialog.tsx";
import { changedFields, useDraft } from "../forms/draft.ts";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { sayDone } from "../shell/done.ts";
import { EndUserSecrets, useKeysOf } from "./end-user-secrets.tsx";
import { NewSecretsDialog } from "./new-secrets-dialog.tsx";
import { bodyOfUser, draftOfUser, gainOf } from "./user-draft.ts";
import { UserFields } from "./user-fields.tsx";

/** Changes a user. Proposes to rotate the keys of a user who gains access. */
export const EditUser = ({ record, onClose }: { record: PresentedUser; onClose: () => void }) => {
  const { user } = useSession();
  const { count, mayEnd } = useKeysOf(record.id);
  const draft = useDraft(draftOfUser(record));
  const [ends, setEnds] = useState(true);
  const [changed, setChanged] = useState<Required<ChangedUser> | null>(null);
  if (changed !== null) return <NewSecretsDialog name={changed.name} secrets={changed.keys} onClose={onClose} />;

  const gain = mayEnd ? gainOf(draftOfUser(record), draft.values) : null;
  const save = async (): Promise<void> => {
    const mayChoose = bindingOf(user) === null;
    const changes = changedFields(bodyOfUser(draftOfUser(record), mayChoose), bodyOfUser(draft.values, mayChoose));
    if (Object.keys(changes).length === 0) return onClose();
    const body = { ...changes, ...(gain !== null && ends && { rotate_keys: true }) };
    const { keys = [], ...after } = await change<ChangedUser>("PUT", `/users/${record.id}`, body);
    sayDone(`${after.name} is saved.`);
    if (keys.length === 0) onClose();
    else setChanged({ ...after, keys });
  };
  return (
    <FormDialog title={`Edit ${record.name}`} submit="Save" onSubmit={save} onClose={onClose} size="xl">
      <UserFields draft={draft} isSelf={user.id === record.id} />
      {gain !== null && <EndUserSecrets record={record} gain={gain} count={count} value={ends} onChange={setEnds} />}
    </FormDialog>
  );
};
