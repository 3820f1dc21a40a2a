import { Button } from "@mantine/core";
import type { Webhook } from "../../../core/webhooks/webhook.ts";
import { useRecord } from "../api/queries.ts";
import { AuditTrail } from "../audit/audit-trail.tsx";
import { DealerLink } from "../choices/dealer-choice.tsx";
import { Facts } from "../page/facts.tsx";
import { formatNumber } from "../page/figures.tsx";
import { Notice } from "../page/notice.tsx";
import { Page } from "../page/page.tsx";
import { QueryResult } from "../page/query-result.tsx";
import { RecordPage } from "../page/record-page.tsx";
import { Section } from "../page/section.tsx";
import { useMay } from "../session/session.tsx";
import { DateAndRelativeTime, DateTime } from "../times/times.tsx";
import { Deliveries } from "./deliveries.tsx";
import { useTestMessage } from "./test-message.tsx";
import { useWebhookActions } from "./webhook-menu.tsx";
import { useMayMakeWebhooks, WebhookStateBadge } from "./webhook-state.tsx";
import { eventInWords, nameOf, pathOf, REASON_LABELS } from "./webhook-words.ts";

const BREADCRUMBS = [["Webhooks", "/webhooks"]] as const;
const REFRESH_MS = 5_000;

/** Why nothing arrives, and what to do. */
const Trouble = ({ webhook, onSwitch }: { webhook: Webhook; onSwitch: (() => void) | null }) => {
  const { active, disabled_reason: reason, failing_since: since } = webhook;
  if (active)
    return (
      since !== null && (
        <Notice title="It keeps failing">
          <p className="page-subtitle">
            No message has arrived since <DateAndRelativeTime at={since} />. After 5 days it is switched off.
          </p>
        </Notice>
      )
    );
  return (
    <Notice title={reason === null ? "It is off" : "The service switched it off"}>
      <p className="page-subtitle">
        {reason !== null && `${REASON_LABELS[reason]}. `}
        What waits is sent when it is switched on; what changes meanwhile is sent by “Send what was missed”.
      </p>
      {onSwitch !== null && (
        <Button size="xs" onClick={onSwitch}>
          Switch on
        </Button>
      )}
    </Notice>
  );
};

const Details = ({ webhook }: { webhook: Webhook }) => {
  const { grace_until: graceUntil, dealer_id: dealerId } = webhook;
  return (
    <Section title="Details">
      <Facts
        facts={[
          ["Address", webhook.url],
          ["Dealer", dealerId === null ? "All dealers" : <DealerLink key="dealer" id={dealerId} />],
          ["Is told when", webhook.events.map(eventInWords).join("; ")],
          ["Messages a second", formatNumber(webhook.max_per_second)],
          ["Waiting", formatNumber(webhook.waiting)],
          ...(graceUntil === null
            ? []
            : [["Old secret signs until", <DateTime key="grace" at={graceUntil} />] as const]),
          ["Created", <DateTime key="created" at={webhook.created_at} />],
          ["Changed", <DateTime key="changed" at={webhook.updated_at} />],
        ]}
      />
    </Section>
  );
};

const WebhookView = ({ record }: { record: Webhook }) => {
  const may = useMay();
  const mayMake = useMayMakeWebhooks();
  const { rare, switching, open, dialog } = useWebhookActions(record);
  const test = useTestMessage(record);
  return (
    <RecordPage
      title={nameOf(record)}
      breadcrumbs={BREADCRUMBS}
      state={<WebhookStateBadge webhook={record} />}
      subtitle={record.description !== null && record.url}
      actions={
        <>
          {may("webhooks:write") && record.active && test.button}
          {mayMake && (
            <>
              <Button variant="default" onClick={() => open("rotate")}>
                Rotate secret
              </Button>
              <Button onClick={() => open("edit")}>Edit</Button>
            </>
          )}
        </>
      }
      menu={rare}
      above={
        <>
          <Trouble webhook={record} onSwitch={mayMake ? () => switching.mutate() : null} />
          {test.outcome}
        </>
      }
      aside={<Details webhook={record} />}
      below={may("audit:read") && <AuditTrail resource="webhooks" id={record.id} />}
    >
      <Deliveries webhook={record} />
      {dialog}
    </RecordPage>
  );
};

/** The page of one webhook: its messages with their tries, its details, its history. */
export const WebhookPage = ({ id }: { id: string }) => {
  const webhook = useRecord<Webhook>(pathOf({ id: Number(id) }), {}, { refetchAfterMs: () => REFRESH_MS });
  if (webhook.data !== undefined) return <WebhookView record={webhook.data} />;
  return (
    <Page title="Webhook" breadcrumbs={BREADCRUMBS}>
      <QueryResult query={webhook}>{() => null}</QueryResult>
    </Page>
  );
};
