import { useState } from "react";
import type { PresentedKey } from "../../../core/keys/key.ts";
import type { ChangedKey, KeyWithSecret } from "../api/responses.ts";
import { DealerName } from "../choices/dealer-choice.tsx";
import { UserName } from "../choices/user-choice.tsx";
import type { useDraft } from "../forms/draft.ts";
import { EditRecord } from "../forms/edit-record.tsx";
import type { RecordDialogProps } from "../forms/record-dialogs.tsx";
import { notify } from "../page/notify.tsx";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { EndKeySecret } from "./end-key-secret.tsx";
import { bodyOf, draftOf, type KeyDraft } from "./key-draft.ts";
import { KeyFields } from "./key-fields.tsx";
import { KeyPreview, useKeyEffect } from "./key-preview.tsx";
import { SecretDialog } from "./secret-dialogs.tsx";

const isReassigned = (changes: object): boolean => "dealer_id" in changes || "user_id" in changes;

interface KeyFormProps {
  readonly record: PresentedKey;
  readonly draft: ReturnType<typeof useDraft<KeyDraft>>;
  readonly changes: object;
  readonly rotates: boolean;
  readonly setRotates: (rotates: boolean) => void;
}

const KeyForm = ({ record, draft, changes, rotates, setRotates }: KeyFormProps) => {
  const effect = useKeyEffect(draft.values);
  return (
    <>
      <KeyFields draft={draft} isNew={false} />
      {isReassigned(changes) && <EndKeySecret record={record} effect={effect} value={rotates} onChange={setRotates} />}
      <KeyPreview effect={effect} />
    </>
  );
};

/** Changes a key. Proposes to rotate a key that gets a new owner. */
export const EditKey = ({ record, onClose }: RecordDialogProps<PresentedKey>) => {
  const boundTo = bindingOf(useSession().user);
  const [rotates, setRotates] = useState(true);
  const [keyWithSecret, setKeyWithSecret] = useState<KeyWithSecret | null>(null);
  if (keyWithSecret !== null) return <SecretDialog keyWithSecret={keyWithSecret} onClose={onClose} />;
  return (
    <EditRecord
      record={record}
      onClose={onClose}
      resource="keys"
      path={`/keys/${record.id}`}
      draftOf={draftOf}
      bodyOf={(values) => bodyOf(values, boundTo)}
      nameOf={({ name }) => name}
      more={({ changes }) => (isReassigned(changes) && rotates ? { rotate: true } : {})}
      onSaved={({ api_key, ...key }: ChangedKey) => {
        notify(`${key.name} is saved.`);
        if (api_key === undefined) onClose();
        else setKeyWithSecret({ ...key, api_key });
      }}
      valueRenderers={{
        dealer_id: (id) => <DealerName id={Number(id)} />,
        user_id: (id) => <UserName id={Number(id)} />,
      }}
    >
      {(edited) => <KeyForm record={record} {...edited} rotates={rotates} setRotates={setRotates} />}
    </EditRecord>
  );
};
