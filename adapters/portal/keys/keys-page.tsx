import { APP_TYPES } from "../../../core/access/permissions.ts";
import type { PresentedKey } from "../../../core/keys/key.ts";
import type { Sparkline as Pulse } from "../../../core/keys/usage.ts";
import { useListed, useRecord } from "../api/queries.ts";
import { ChoiceFilter, Filters, TextFilter } from "../lists/filters.tsx";
import { useListState } from "../lists/list-state.ts";
import { Pager } from "../lists/pager.tsx";
import { Empty, RecordList } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { AgoOr } from "../moments/moment.tsx";
import { useMay } from "../session/session.tsx";
import { LinkButton, PageLink } from "../shell/link.tsx";
import { Page } from "../shell/page.tsx";
import { KeyMenu } from "./key-menu.tsx";
import { AssociationOf, KeyStateBadge } from "./key-state.tsx";
import { Sparkline } from "./sparkline.tsx";

const STATES = [
  ["active", "Active"],
  ["expired", "Expired"],
  ["revoked", "Revoked"],
] as const;
const ASSOCIATIONS = [
  ["dealer", "Dealer"],
  ["user", "User"],
  ["none", "None"],
] as const;
const APP_TYPE_CHOICES = APP_TYPES.map((type) => [type, type] as const);

/** The columns of a list of keys. */
const keyColumns = (pulseOf: (id: number) => readonly number[] | undefined): readonly Column<PresentedKey>[] => [
  {
    head: "Name",
    sort: "name",
    cell: (key) => (
      <div className="wraps">
        <PageLink to={`/keys/${key.id}`}>{key.name}</PageLink>
        <br />
        <code className="key-start">{key.key_start}…</code>
      </div>
    ),
  },
  { head: "App type", cell: (key) => key.app_type },
  { head: "Association", cell: (key) => <AssociationOf record={key} /> },
  { head: "Status", cell: (key) => <KeyStateBadge record={key} /> },
  { head: "Last use", sort: "last_used", cell: (key) => <AgoOr at={key.last_used_at} otherwise="Never" /> },
  { head: "Expires", sort: "expires", cell: (key) => <AgoOr at={key.expires_at} otherwise="Never" /> },
  { head: "Last 24 hours", cell: (key) => <Sparkline hours={pulseOf(key.id)} /> },
  { head: "Actions", silent: true, cell: (key) => <KeyMenu record={key} /> },
];

/** The keys in sight: searched, filtered, sorted and paged by the server. */
export const KeysPage = () => {
  const list = useListState();
  const may = useMay();
  const by = list.filter("sort") || "created";
  const order = list.filter("order") || "desc";
  const keys = useListed<PresentedKey>("/keys", {
    q: list.filter("q"),
    status: list.filter("status"),
    app_type: list.filter("app_type"),
    association: list.filter("association"),
    sort: by,
    order,
    ...list.window,
  });
  const ids = (keys.data?.items ?? []).map(({ id }) => id).join(",");
  const pulses = useRecord<readonly Pulse[]>("/key-usage", { ids }, { enabled: ids !== "", staleMs: 30_000 });
  const pulseOf = (id: number) => pulses.data?.find(({ key_id }) => key_id === id)?.hours;

  return (
    <Page title="Keys" actions={may("keys:write") && <LinkButton to="/keys/new">Create a key</LinkButton>}>
      <Filters list={list}>
        <TextFilter list={list} name="q" label="Search" type="search" wide />
        <ChoiceFilter list={list} name="status" label="Status" options={STATES} />
        <ChoiceFilter list={list} name="app_type" label="App type" options={APP_TYPE_CHOICES} />
        <ChoiceFilter list={list} name="association" label="Association" options={ASSOCIATIONS} />
      </Filters>
      <RecordList
        caption="Keys"
        query={keys}
        columns={keyColumns(pulseOf)}
        keyOf={({ id }) => id}
        sorting={{ by, order, onChange: (sort, to) => list.setFilters({ sort, order: to }) }}
        empty={
          list.isFiltered ? (
            <Empty title="No key matches">Search for something else, or clear the filters.</Empty>
          ) : (
            <Empty title="No keys yet">
              {may("keys:write") ? (
                <PageLink to="/keys/new">Create the first key</PageLink>
              ) : (
                "Ask an administrator to create one for you."
              )}
            </Empty>
          )
        }
        below={({ total }) => <Pager list={list} total={total} noun="keys" />}
      />
    </Page>
  );
};
