import { useState } from "react";
import type { PresentedKey } from "../../../core/keys/key.ts";
import type { ChangedKey, KeyWithSecret } from "../api/responses.ts";
import { DealerName } from "../choices/dealer-choice.tsx";
import { UserName, useChosenUser } from "../choices/user-choice.tsx";
import { useEdit } from "../forms/edit.ts";
import { EditDialog } from "../forms/edit-dialog.tsx";
import { notify } from "../page/notify.tsx";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { EndKeySecret } from "./end-key-secret.tsx";
import { bodyOf, draftOf } from "./key-draft.ts";
import { effectOf } from "./key-effect.ts";
import { KeyFields } from "./key-fields.tsx";
import { KeyPreview } from "./key-preview.tsx";
import { SecretDialog } from "./secret-dialogs.tsx";

/** Changes a key. Proposes to rotate a key that gets a new owner. */
export const EditKey = ({ record, onClose }: { record: PresentedKey; onClose: () => void }) => {
  const { user } = useSession();
  const boundTo = bindingOf(user);
  const editing = useEdit({
    path: `/keys/${record.id}`,
    record,
    draftOf,
    bodyOf: (values) => bodyOf(values, boundTo),
  });
  const { draft, changes, save } = editing;
  const holder = useChosenUser(draft.values.user_id);
  const [rotates, setRotates] = useState(true);
  const [keyWithSecret, setKeyWithSecret] = useState<KeyWithSecret | null>(null);
  if (keyWithSecret !== null) return <SecretDialog keyWithSecret={keyWithSecret} onClose={onClose} />;

  const isReassigned = "dealer_id" in changes || "user_id" in changes;
  const effect = effectOf(draft.values, user, holder);
  const submit = async (): Promise<void> => {
    if (Object.keys(changes).length === 0) return onClose();
    const { api_key, ...key } = await save<ChangedKey>(isReassigned && rotates ? { rotate: true } : {});
    notify(`${key.name} is saved.`);
    if (api_key === undefined) onClose();
    else setKeyWithSecret({ ...key, api_key });
  };
  return (
    <EditDialog
      name={record.name}
      id={record.id}
      resource="keys"
      editing={editing}
      onSubmit={submit}
      onClose={onClose}
      valueRenderers={{
        dealer_id: (id) => <DealerName id={Number(id)} />,
        user_id: (id) => <UserName id={Number(id)} />,
      }}
    >
      <KeyFields draft={draft} isNew={false} />
      {isReassigned && <EndKeySecret record={record} effect={effect} value={rotates} onChange={setRotates} />}
      <KeyPreview effect={effect} />
    </EditDialog>
  );
};
