import { Button } from "@mantine/core";
import type { PresentedKey } from "../../../core/keys/key.ts";
import { change } from "../api/client.ts";
import { Dialog } from "../forms/dialog.tsx";
import { changedFields, useDraft } from "../forms/draft.ts";
import { Form } from "../forms/form.tsx";
import { useSession } from "../session/session.tsx";
import { sayDone } from "../shell/done.ts";
import { useUsers } from "../users/user-choice.tsx";
import { bodyOf, draftOf } from "./key-draft.ts";
import { bindingOf, effectOf } from "./key-effect.ts";
import { KeyFields } from "./key-fields.tsx";
import { KeyPreview } from "./key-preview.tsx";

/** Changes a key; its secret stays as it is. */
export const EditKey = ({ record, onClose }: { record: PresentedKey; onClose: () => void }) => {
  const { user } = useSession();
  const { users } = useUsers();
  const draft = useDraft(draftOf(record));
  const save = async (): Promise<void> => {
    const boundTo = bindingOf(user);
    const changes = changedFields(bodyOf(draftOf(record), boundTo), bodyOf(draft.values, boundTo));
    if (Object.keys(changes).length > 0) {
      await change("PUT", `/keys/${record.id}`, changes);
      sayDone(`${draft.values.name} is saved.`);
    }
    onClose();
  };
  return (
    <Dialog title={`Edit ${record.name}`} onClose={onClose} size="xl">
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
