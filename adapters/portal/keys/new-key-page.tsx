import { useSearchParams } from "wouter";
import { change } from "../api/client.ts";
import type { KeyWithSecret } from "../api/responses.ts";
import { useDraft } from "../forms/draft.ts";
import { NewRecordPage } from "../forms/new-record-page.tsx";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { bodyOf, emptyKey } from "./key-draft.ts";
import { KeyFields } from "./key-fields.tsx";
import { KeyPreview, useKeyEffect } from "./key-preview.tsx";
import { SecretDialog } from "./secret-dialogs.tsx";

/** Creates a key, by default for the dealer of `?dealer_id=`, and shows its secret once. */
export const NewKeyPage = () => {
  const { user } = useSession();
  const [params] = useSearchParams();
  const draft = useDraft({ ...emptyKey(user), dealer_id: params.get("dealer_id") ?? "" });
  return (
    <NewRecordPage
      title="Create a key"
      breadcrumbs={[["Keys", "/keys"]]}
      submit="Create the key"
      draft={draft}
      create={() => change<KeyWithSecret>("POST", "/keys", bodyOf(draft.values, bindingOf(user)))}
      pageOf={({ id }) => `/keys/${id}`}
      showOnce={(keyWithSecret, onClose) => <SecretDialog keyWithSecret={keyWithSecret} onClose={onClose} />}
    >
      <KeyFields draft={draft} isNew />
      <KeyPreview effect={useKeyEffect(draft.values)} />
    </NewRecordPage>
  );
};
