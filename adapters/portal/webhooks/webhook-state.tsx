import type { Delivery, Webhook } from "../../../core/webhooks/webhook.ts";
import { StateBadge } from "../page/state-badge.tsx";
import { useMay } from "../session/session.tsx";
import { DELIVERY_LABELS, STATE_LABELS, stateOf } from "./webhook-words.ts";

/** The state of a webhook, as a badge. */
export const WebhookStateBadge = ({ webhook }: { webhook: Webhook }) => {
  const [label, color] = STATE_LABELS[stateOf(webhook)];
  return <StateBadge color={webhook.disabled_reason === null ? color : "amber"}>{label}</StateBadge>;
};

/** What became of a message, as a badge. */
export const DeliveryStateBadge = ({ delivery }: { delivery: Pick<Delivery, "state"> }) => {
  const [label, color] = DELIVERY_LABELS[delivery.state];
  return <StateBadge color={color}>{label}</StateBadge>;
};

/** True if the signed-in user may create and change webhooks: such a webhook is told of what the user may read. */
export const useMayMakeWebhooks = (): boolean => {
  const may = useMay();
  return may("webhooks:write") && may("vehicles:read");
};
