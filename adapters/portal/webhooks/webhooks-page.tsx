import type { Webhook } from "../../../core/webhooks/webhook.ts";
import { DEALER_FILTER, DealerName } from "../choices/dealer-choice.tsx";
import { CursorList } from "../lists/cursor-list.tsx";
import { type Filter, Filters } from "../lists/filters.tsx";
import { useListState } from "../lists/list-state.ts";
import { EmptyState } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { TwoLineCell } from "../lists/two-line-cell.tsx";
import { formatNumber } from "../page/figures.tsx";
import { LinkButton, PageLink } from "../page/link.tsx";
import { Page } from "../page/page.tsx";
import { bindingOf } from "../session/powers.ts";
import { useMay, useSession } from "../session/session.tsx";
import { RelativeTime } from "../times/times.tsx";
import { WebhookMenu } from "./webhook-menu.tsx";
import { useMayMakeWebhooks, WebhookStateBadge } from "./webhook-state.tsx";
import { eventInWords, hostOf, nameOf, REASON_LABELS, STATE_LABELS } from "./webhook-words.ts";

const STATE_FILTER: Filter = {
  name: "state",
  label: "State",
  options: Object.entries(STATE_LABELS).map(([state, [label]]) => [state, label] as const),
};

const SHOWN_EVENTS = 2;

/** The first events of a webhook, and how many more there are. */
const eventsInWords = ({ events }: Webhook): string => {
  const more = events.length - SHOWN_EVENTS;
  const first = events.slice(0, SHOWN_EVENTS).map(eventInWords).join("; ");
  return more > 0 ? `${first}; ${formatNumber(more)} more` : first;
};

/** The state of a webhook, with what is wrong. */
const State = ({ webhook }: { webhook: Webhook }) => {
  const { active, disabled_reason: reason, failing_since: since } = webhook;
  const badge = <WebhookStateBadge webhook={webhook} />;
  if (!active) return reason === null ? badge : <TwoLineCell first={badge} second={REASON_LABELS[reason]} />;
  return since === null ? (
    badge
  ) : (
    <TwoLineCell
      first={badge}
      second={
        <>
          First failed <RelativeTime at={since} />
        </>
      }
    />
  );
};

const NAME: Column<Webhook> = {
  head: "Webhook",
  cell: (webhook) => (
    <TwoLineCell
      first={<PageLink to={`/webhooks/${webhook.id}`}>{nameOf(webhook)}</PageLink>}
      second={webhook.description === null ? null : hostOf(webhook.url)}
    />
  ),
};
const DEALER: Column<Webhook> = {
  head: "Dealer",
  leaves: "second",
  cell: ({ dealer_id: id }) => (id === null ? "All dealers" : <DealerName id={id} />),
};
const FACTS: readonly Column<Webhook>[] = [
  { head: "State", cell: (webhook) => <State webhook={webhook} /> },
  { head: "Is told when", leaves: "first", cell: (webhook) => <div className="wraps">{eventsInWords(webhook)}</div> },
  { head: "Waiting", numeric: true, cell: ({ waiting }) => formatNumber(waiting) },
];

const REFRESH_MS = 10_000;

/** The webhooks, newest first, of all dealers or of one, in all states or in one. */
export const WebhooksPage = () => {
  const list = useListState();
  const may = useMay();
  const mayMake = useMayMakeWebhooks();
  const isBound = bindingOf(useSession().user) !== null;
  const filters = [STATE_FILTER, ...(!isBound && may("dealers:read") ? [DEALER_FILTER] : [])];
  const chosen = Object.fromEntries(filters.map(({ name }) => [name, list.filter(name)]));
  return (
    <Page
      title="Webhooks"
      subtitle="Other services that are told at once what changes"
      actions={mayMake && <LinkButton to="/webhooks/new">Create a webhook</LinkButton>}
    >
      <section className="card listing" aria-label="Webhooks">
        <Filters list={list} filters={filters} />
        <CursorList<Webhook>
          key={Object.values(chosen).join(" ")}
          path="/webhooks"
          filters={chosen}
          noun="webhooks"
          caption="Webhooks"
          refetchAfterMs={() => REFRESH_MS}
          columns={isBound ? [NAME, ...FACTS] : [NAME, DEALER, ...FACTS]}
          keyOf={({ id }) => id}
          menu={(record) => <WebhookMenu record={record} />}
          empty={
            list.isFiltered ? (
              <EmptyState title="No webhook matches">Choose other filters, or clear them.</EmptyState>
            ) : (
              <EmptyState title="No webhooks yet">
                <p className="page-subtitle">
                  A webhook tells a website's search index, a CRM or another service of each change.
                </p>
                {mayMake && <PageLink to="/webhooks/new">Create the first webhook</PageLink>}
              </EmptyState>
            )
          }
        />
      </section>
    </Page>
  );
};
