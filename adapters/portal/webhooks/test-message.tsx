import { Button, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Delivery, Webhook } from "../../../core/webhooks/webhook.ts";
import { change } from "../api/client.ts";
import { useList } from "../api/queries.ts";
import { notifyFailure } from "../page/notify.tsx";
import { UpcomingTime } from "../times/times.tsx";
import { pathOf, tryInWords } from "./webhook-words.ts";

const SOON_MS = 1_000;
/** The test message is among the newest. */
const NEWEST = { limit: 20 } as const;

const lastTryOf = (delivery: Delivery | undefined) => delivery?.attempts.at(-1);

/** What the receiver said to a test message. */
const Outcome = ({ webhook, deliveryId }: { webhook: Webhook; deliveryId: number }) => {
  const find = (items: readonly Delivery[] = []): Delivery | undefined => items.find(({ id }) => id === deliveryId);
  const messages = useList<Delivery>(`${pathOf(webhook)}/deliveries`, NEWEST, {
    staleMs: 0,
    refetchAfterMs: ({ items }) => (lastTryOf(find(items)) === undefined ? SOON_MS : null),
  });
  const delivery = find(messages.data?.items);
  const last = lastTryOf(delivery);
  if (last === undefined) return <Text size="sm">The test message is being sent.</Text>;
  return (
    <>
      <Text size="sm">
        {delivery?.state === "delivered" ? "The test message arrived." : "The test message did not arrive."}{" "}
        {tryInWords(last)}.{" "}
        {delivery?.next_at != null && (
          <>
            It is tried again <UpcomingTime at={delivery.next_at} />.
          </>
        )}
      </Text>
      {last.response !== "" && <pre className="copy-text">{last.response}</pre>}
    </>
  );
};

/** Sends a test message: its button, and what came of the last one. */
export const useTestMessage = (webhook: Webhook) => {
  const [deliveryId, setDeliveryId] = useState<number | null>(null);
  const test = useMutation({
    mutationFn: () => change<Delivery>("POST", `${pathOf(webhook)}/test`),
    onSuccess: ({ id }) => setDeliveryId(id),
    onError: (error) => notifyFailure(error),
  });
  return {
    button: (
      <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
        Send a test
      </Button>
    ),
    outcome: (
      <div role="status">
        {deliveryId !== null && (
          <section className="card section" aria-label="Test message">
            <Outcome webhook={webhook} deliveryId={deliveryId} />
          </section>
        )}
      </div>
    ),
  };
};
