import { Button, List, NativeSelect, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Delivery, DeliveryAttempt, Webhook } from "../../../core/webhooks/webhook.ts";
import { change } from "../api/client.ts";
import { CursorList } from "../lists/cursor-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { TwoLineCell } from "../lists/two-line-cell.tsx";
import { notify, notifyFailure } from "../page/notify.tsx";
import { Section } from "../page/section.tsx";
import { DateTime, RelativeTime, UpcomingTime } from "../times/times.tsx";
import { DeliveryStateBadge, useMayMakeWebhooks } from "./webhook-state.tsx";
import { DELIVERY_LABELS, eventInWords, pathOf, tryInWords } from "./webhook-words.ts";

const REFRESH_MS = 5_000;

const Tries = ({ attempts }: { attempts: readonly DeliveryAttempt[] }) => {
  const last = attempts.at(-1);
  if (last === undefined) return "None yet";
  return (
    <details>
      <summary>
        {attempts.length === 1 ? "1 try" : `${attempts.length} tries, the last`}: {last.status ?? "no answer"}
      </summary>
      <List size="sm" listStyleType="none" className="wraps">
        {attempts.map((one) => (
          <List.Item key={`${one.at} ${one.ms}`}>
            <DateTime at={one.at} />: {tryInWords(one)}
            {one.response !== "" && <pre className="copy-text">{one.response}</pre>}
          </List.Item>
        ))}
      </List>
    </details>
  );
};

const SendAgain = ({ webhook, delivery }: { webhook: Webhook; delivery: Delivery }) => {
  const again = useMutation({
    mutationFn: () => change<Delivery>("POST", `${pathOf(webhook)}/deliveries/${delivery.id}/redeliver`),
    onSuccess: () => notify(webhook.active ? "It is sent again in a moment." : "It is sent when the webhook is on."),
    onError: (error) => notifyFailure(error),
  });
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={`Send again: ${eventInWords(delivery.event)}`}
      loading={again.isPending}
      onClick={() => again.mutate()}
    >
      Send again
    </Button>
  );
};

const COLUMNS: readonly Column<Delivery>[] = [
  {
    head: "Message",
    cell: ({ event, created_at: at }) => <TwoLineCell first={eventInWords(event)} second={<RelativeTime at={at} />} />,
  },
  {
    head: "State",
    cell: (delivery) => (
      <TwoLineCell
        noWrap
        first={<DeliveryStateBadge delivery={delivery} />}
        second={
          delivery.next_at !== null && (
            <>
              Next try <UpcomingTime at={delivery.next_at} />
            </>
          )
        }
      />
    ),
  },
  { head: "Tries", cell: ({ attempts }) => <Tries attempts={attempts} /> },
];

/** The messages of a webhook, of all states or of one, newest first. */
export const Deliveries = ({ webhook }: { webhook: Webhook }) => {
  const [state, setState] = useState("");
  const mayMake = useMayMakeWebhooks();
  const columns = [
    ...COLUMNS,
    ...(mayMake ? [{ head: "Action", cell: (one: Delivery) => <SendAgain webhook={webhook} delivery={one} /> }] : []),
  ];
  return (
    <Section
      title="Messages"
      actions={
        <NativeSelect
          size="xs"
          aria-label="Show messages"
          value={state}
          onChange={({ currentTarget }) => setState(currentTarget.value)}
          data={[
            { value: "", label: "All" },
            ...Object.entries(DELIVERY_LABELS).map(([value, [label]]) => ({ value, label })),
          ]}
        />
      }
    >
      <CursorList<Delivery>
        key={state}
        path={`${pathOf(webhook)}/deliveries`}
        filters={{ state }}
        noun="messages"
        caption="Messages"
        refetchAfterMs={() => REFRESH_MS}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Text size="sm">
            {state === "" ? "Nothing was sent in the last 30 days." : "No message is in this state."}
          </Text>
        }
      />
    </Section>
  );
};
