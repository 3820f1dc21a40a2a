import { useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import { change } from "../api/client.ts";
import type { KeyWithSecret } from "../api/responses.ts";
import { useChosenUser } from "../choices/user-choice.tsx";
import { useDraft } from "../forms/draft.ts";
import { FormPage } from "../forms/form-page.tsx";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { bodyOf, emptyKey } from "./key-draft.ts";
import { effectOf } from "./key-effect.ts";
import { KeyFields } from "./key-fields.tsx";
import { KeyPreview } from "./key-preview.tsx";
import { SecretDialog } from "./secret-dialogs.tsx";

/** Creates a key, by default for the dealer of `?dealer_id=`, and shows its secret once. */
export const NewKeyPage = () => {
  const [, go] = useLocation();
  const { user } = useSession();
  const [params] = useSearchParams();
  const draft = useDraft({ ...emptyKey(user), dealer_id: params.get("dealer_id") ?? "" });
  const holder = useChosenUser(draft.values.user_id);
  const [keyWithSecret, setKeyWithSecret] = useState<KeyWithSecret | null>(null);
  const create = async (): Promise<void> => {
    setKeyWithSecret(await change<KeyWithSecret>("POST", "/keys", bodyOf(draft.values, bindingOf(user))));
  };
  return (
    <FormPage
      title="Create a key"
      breadcrumbs={[["Keys", "/keys"]]}
      submit="Create the key"
      cancelTo="/keys"
      isChanged={draft.isChanged && keyWithSecret === null}
      onSubmit={create}
      dialogs={
        keyWithSecret !== null && (
          <SecretDialog keyWithSecret={keyWithSecret} onClose={() => go(`/keys/${keyWithSecret.id}`)} />
        )
      }
    >
      <KeyFields draft={draft} isNew />
      <KeyPreview effect={effectOf(draft.values, user, holder)} />
    </FormPage>
  );
};
