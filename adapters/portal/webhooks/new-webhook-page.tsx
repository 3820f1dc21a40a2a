import { useSearchParams } from "wouter";
import { change } from "../api/client.ts";
import { useDraft } from "../forms/draft.ts";
import { NewRecordPage } from "../forms/new-record-page.tsx";
import { WebhookSecretDialog, type WebhookWithSecret } from "./webhook-dialogs.tsx";
import { bodyOfWebhook, emptyWebhook } from "./webhook-draft.ts";
import { WebhookFields } from "./webhook-fields.tsx";

/** Creates a webhook, and shows its secret once. */
export const NewWebhookPage = () => {
  const [params] = useSearchParams();
  const draft = useDraft(emptyWebhook(params.get("dealer_id") ?? ""));
  return (
    <NewRecordPage
      title="Create a webhook"
      breadcrumbs={[["Webhooks", "/webhooks"]]}
      submit="Create the webhook"
      draft={draft}
      create={() => change<WebhookWithSecret>("POST", "/webhooks", bodyOfWebhook(draft.values))}
      pageOf={({ id }) => `/webhooks/${id}`}
      showOnce={(webhook, onClose) => <WebhookSecretDialog webhook={webhook} onClose={onClose} />}
    >
      <WebhookFields draft={draft} isNew />
    </NewRecordPage>
  );
};
