import { useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import { change } from "../api/client.ts";
import { useDraft } from "../forms/draft.ts";
import { FormPage } from "../forms/form-page.tsx";
import { WebhookSecretDialog, type WebhookWithSecret } from "./webhook-dialogs.tsx";
import { bodyOfWebhook, emptyWebhook } from "./webhook-draft.ts";
import { WebhookFields } from "./webhook-fields.tsx";

/** Creates a webhook, and shows its secret once. */
export const NewWebhookPage = () => {
  const [, go] = useLocation();
  const [params] = useSearchParams();
  const draft = useDraft(emptyWebhook(params.get("dealer_id") ?? ""));
  const [made, setMade] = useState<WebhookWithSecret | null>(null);
  const create = async (): Promise<void> =>
    setMade(await change<WebhookWithSecret>("POST", "/webhooks", bodyOfWebhook(draft.values)));
  return (
    <FormPage
      title="Create a webhook"
      breadcrumbs={[["Webhooks", "/webhooks"]]}
      submit="Create the webhook"
      cancelTo="/webhooks"
      isChanged={draft.isChanged && made === null}
      onSubmit={create}
      dialogs={made !== null && <WebhookSecretDialog webhook={made} onClose={() => go(`/webhooks/${made.id}`)} />}
    >
      <WebhookFields draft={draft} isNew />
    </FormPage>
  );
};
