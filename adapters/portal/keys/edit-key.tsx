import { useState } from "react";
import type { PresentedKey } from "../../../core/keys/key.ts";
import type { ChangedKey, ShownKey } from "../api/answers.ts";
import { change } from "../api/client.ts";
import { FormDialog } from "../forms/dialog.tsx";
import { changedFields, useDraft } from "../forms/draft.ts";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { sayDone } from "../shell/done.ts";
import { useUsers } from "../users/user-choice.tsx";
import { EndKeySecret } from "./end-key-secret.tsx";
import { bodyOf, draftOf } from "./key-draft.ts";
import { effectOf } from "./key-effect.ts";
import { KeyFields } from "./key-fields.tsx";
import { KeyPreview } from "./key-preview.tsx";
import { SecretDialog } from "./secret-dialog.tsx";

/** Changes a key. Proposes to rotate a key that changes hands. */
export const EditKey = ({ record, onClose }: { record: PresentedKey; onClose: () => void }) => {
  const { user } = useSession();
  const { users } = useUsers();
  const draft = useDraft(draftOf(record));
  const [ends, setEnds] = useState(true);
  const [shown, setShown] = useState<ShownKey | null>(null);
  if (shown !== null) return <SecretDialog shown={shown} onClose={onClose} />;

  const boundTo = bindingOf(user);
  const changes = changedFields(bodyOf(draftOf(record), boundTo), bodyOf(draft.values, boundTo));
  const isTiedAnew = "dealer_id" in changes || "user_id" in changes;
  const effect = effectOf(draft.values, user, users);
  const save = async (): Promise<void> => {
    if (Object.keys(changes).length === 0) return onClose();
    const body = { ...changes, ...(isTiedAnew && ends && { rotate: true }) };
    const { api_key, ...key } = await change<ChangedKey>("PUT", `/keys/${record.id}`, body);
    sayDone(`${key.name} is saved.`);
    if (api_key === undefined) onClose();
    else setShown({ ...key, api_key });
  };
  return (
    <FormDialog title={`Edit ${record.name}`} submit="Save" onSubmit={save} onClose={onClose} size="xl">
      <KeyFields draft={draft} isNew={false} />
      {isTiedAnew && <EndKeySecret record={record} effect={effect} value={ends} onChange={setEnds} />}
      <KeyPreview effect={effect} />
    </FormDialog>
  );
};
