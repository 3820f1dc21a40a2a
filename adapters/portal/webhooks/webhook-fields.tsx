import { Checkbox, Input, SimpleGrid } from "@mantine/core";
import { holds, setOfPairs } from "../../../core/permissions.ts";
import { WEBHOOK_EVENT_NAMES, WEBHOOK_EVENTS } from "../../../core/webhooks/event.ts";
import { DealerField } from "../choices/dealer-choice.tsx";
import type { useDraft } from "../forms/draft.ts";
import { FieldGroups, type FieldList } from "../forms/field-list.tsx";
import { useIssue } from "../forms/issues.tsx";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { type WebhookDraft, withEvent } from "./webhook-draft.ts";
import { EVENT_LABELS } from "./webhook-words.ts";

type Draft = ReturnType<typeof useDraft<WebhookDraft>>;

/** A checkbox for each event. Those that the signed-in user may not read can only be cleared. */
const EventChoice = ({ draft: { values, set } }: { draft: Draft }) => {
  const { events } = values;
  const issue = useIssue("events", { label: "Events", value: events, isChosen: true });
  const held = setOfPairs(useSession().user.permissions);
  return (
    <Input.Wrapper label="Events" labelElement="div" error={issue}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" verticalSpacing={10} mt={6} role="group" aria-label="Events">
        {WEBHOOK_EVENT_NAMES.map((event, place) => {
          const isChosen = events.includes(event);
          const mayRead = holds(held, WEBHOOK_EVENTS[event]);
          return (
            <Checkbox
              key={event}
              label={EVENT_LABELS[event]}
              description={mayRead ? event : `${event}: you may not read what it tells`}
              checked={isChosen}
              disabled={!mayRead && !isChosen}
              // A refusal leads to the first of them.
              {...(place === 0 && { name: "events", "aria-invalid": issue !== undefined })}
              onChange={({ currentTarget }) => set({ events: withEvent(events, event, currentTarget.checked) })}
            />
          );
        })}
      </SimpleGrid>
    </Input.Wrapper>
  );
};

const RECEIVER: FieldList<WebhookDraft> = {
  url: { kind: "url", label: "Address", hint: "With https, on port 443 or above 1023.", required: true },
  description: { kind: "text", label: "Description", hint: "What it is for, such as a search index." },
  max_per_second: {
    kind: "whole",
    label: "Messages a second",
    hint: "The most that the receiver gets, from 1 to 100.",
  },
  active: {
    kind: "flag",
    label: "Active",
    hint: "If not, nothing is sent. What was waiting then is sent when it is switched on.",
  },
};

const WHOSE: FieldList<WebhookDraft> = {
  dealer_id: { kind: DealerField, label: "Dealer", placeholder: "All dealers" },
};

/** Every field of a webhook. Its dealer is chosen once, by users without a dealer. */
export const WebhookFields = ({ draft, isNew }: { draft: Draft; isNew: boolean }) => {
  const isBound = bindingOf(useSession().user) !== null;
  const told = { title: "What it is told", below: <EventChoice draft={draft} /> };
  return (
    <FieldGroups
      draft={draft}
      groups={[
        { title: "The receiver", description: "Each change is sent there as a signed request.", fields: RECEIVER },
        isNew && !isBound ? { ...told, fields: WHOSE } : told,
      ]}
    />
  );
};
