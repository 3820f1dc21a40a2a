import { Button } from "@mantine/core";
import type { PresentedKey } from "../../../core/keys/key.ts";
import { change } from "../api/client.ts";
import { Dialog } from "../forms/dialog.tsx";
import { changedFields, useDraft } from "../forms/draft.ts";
import { Form } from "../forms/form.tsx";
import { useSession } from "../session/session.tsx";
import { sayDone } from "../shell/done.ts";
import { useUsers } from "../users/user-choice.tsx";
import { bodyOf, draftOf, type KeyDraft, requireTie } from "./key-draft.ts";
import { bindingOf, effectOf } from "./key-effect.ts";
import { KeyFields } from "./key-fields.tsx";
import { KeyPreview } from "./key-preview.tsx";

/** What has to be sent for a draft to come true: another tie is named whole, everything else only where it changed. */
const changesOf = (before: KeyDraft, after: KeyDraft, boundTo: number | null) => {
  const body = bodyOf(after, boundTo);
  const changes = changedFields(bodyOf(before, boundTo), body);
  if (changes.association === undefined) return changes;
  return {
    ...changes,
    dealer_id: null,
    user_id: null,
    ...(body.dealer_id && { dealer_id: body.dealer_id }),
    ...(body.user_id && { user_id: body.user_id }),
  };
};

/** Changes a key; its secret stays as it is. */
export const EditKey = ({ record, onClose }: { record: PresentedKey; onClose: () => void }) => {
  const { user } = useSession();
  const { users } = useUsers();
  const draft = useDraft(draftOf(record));
  const save = async (): Promise<void> => {
    const boundTo = bindingOf(user);
    requireTie(draft.values, boundTo);
    const changes = changesOf(draftOf(record), draft.values, boundTo);
    if (Object.keys(changes).length > 0) {
      await change("PUT", `/keys/${record.id}`, changes);
      sayDone(`${draft.values.name} is saved.`);
    }
    onClose();
  };
  return (
    <Dialog title={`Edit ${record.name}`} opened onClose={onClose} size="xl">
      <Form
        label={`Edit ${record.name}`}
        submit="Save"
        onSubmit={save}
        beside={
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        }
      >
        <KeyFields draft={draft} isNew={false} />
        <KeyPreview effect={effectOf(draft.values, user, users)} />
      </Form>
    </Dialog>
  );
};
