import type { Principal } from "../access/principal.ts";
import { endingAfter, rankOf } from "../access/rules/only-higher-rank-reactivates.ts";
import { Failure, type Outcome } from "../failure.ts";
import type { WebhookChanges } from "./webhook.ts";
import type { StoredWebhook, WebhookChange, WebhookFields } from "./webhook-repository.ts";

/** The fields of a webhook after changes. */
const fieldsAfter = (
  { url, events, description, max_per_second, active }: WebhookFields,
  changes: Partial<WebhookFields>,
): WebhookFields => ({ url, events, description, max_per_second, active, ...changes });

/** A webhook after a change of the fields that were sent, or why the caller may not make the change. */
export const webhookChanged = (
  stored: StoredWebhook,
  sent: WebhookChanges,
  { by, targetFailure }: { readonly by: Principal; readonly targetFailure: (address: string) => Failure | null },
): Outcome<WebhookChange> => {
  const fields = fieldsAfter(stored, sent as Partial<WebhookFields>);
  // An answer can be sent back as it is, also when EGRESS_ALLOW does not list the network any more.
  const target = fields.url === stored.url ? null : targetFailure(fields.url);
  if (target !== null) return target;
  const endedBy = endingAfter(rankOf(by), stored, { active: fields.active, endedAgain: sent.active !== undefined });
  return endedBy instanceof Failure ? endedBy : { ...fields, endedBy };
};

/** A webhook that is switched on, or why the caller may not do that. */
export const webhookEnabled = (stored: StoredWebhook, by: Principal): Outcome<WebhookChange> => {
  const endedBy = endingAfter(rankOf(by), stored, { active: true, endedAgain: false });
  return endedBy instanceof Failure ? endedBy : { ...fieldsAfter(stored, { active: true }), endedBy };
};
