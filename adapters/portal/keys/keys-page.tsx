import { APP_TYPES } from "../../../core/access/permissions.ts";
import type { Sparkline as Pulse } from "../../../core/keys/usage.ts";
import { useListed, useRecord } from "../api/queries.ts";
import type { Filter } from "../lists/filters.tsx";
import { ListPage } from "../lists/list-page.tsx";
import { useListState } from "../lists/list-state.ts";
import { Empty } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { TwoFacts } from "../lists/two-facts.tsx";
import { AgoOr } from "../moments/moment.tsx";
import { useMay } from "../session/session.tsx";
import { LinkButton, PageLink } from "../shell/link.tsx";
import { KeyMenu } from "./key-menu.tsx";
import { AssociationOf, KeyStateBadge, type NamedKey } from "./key-state.tsx";
import { OldSecretMark } from "./old-secret.tsx";
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

const FILTERS: readonly Filter[] = [
  { name: "status", label: "Status", options: STATES },
  { name: "app_type", label: "App type", options: APP_TYPES.map((type) => [type, type] as const) },
  { name: "association", label: "Association", options: ASSOCIATIONS },
];

/** The columns of a list of keys. */
const keyColumns = (pulseOf: (id: number) => readonly number[] | undefined): readonly Column<NamedKey>[] => [
  {
    head: "Name",
    sort: "name",
    firstOrder: "asc",
    cell: (key) => (
      <TwoFacts
        first={<PageLink to={`/keys/${key.id}`}>{key.name}</PageLink>}
        second={
          <>
            <code>{key.key_start}…</code>
            <OldSecretMark record={key} />
          </>
        }
      />
    ),
  },
  { head: "App type", cell: (key) => key.app_type },
  { head: "Association", cell: (key) => <AssociationOf record={key} /> },
  { head: "Status", cell: (key) => <KeyStateBadge record={key} /> },
  { head: "Last use", sort: "last_used", cell: (key) => <AgoOr at={key.last_used_at} otherwise="Never" /> },
  { head: "Expires", sort: "expires", cell: (key) => <AgoOr at={key.expires_at} otherwise="Never" /> },
  { head: "Last 24 hours", cell: (key) => <Sparkline hours={pulseOf(key.id)} /> },
];

/** The keys in sight: searched, filtered, sorted and paged by the server. */
export const KeysPage = () => {
  const list = useListState();
  const may = useMay();
  const sorting = list.sorting("created", "desc");
  const keys = useListed<NamedKey>("/keys", {
    q: list.filter("q"),
    status: list.filter("status"),
    app_type: list.filter("app_type"),
    association: list.filter("association"),
    sort: sorting.by,
    order: sorting.order,
    include: "names",
    ...list.window,
  });
  const ids = (keys.data?.items ?? []).map(({ id }) => id).join(",");
  const pulses = useRecord<readonly Pulse[]>("/key-usage", { ids }, { enabled: ids !== "", staleMs: 30_000 });
  const pulseOf = (id: number) => pulses.data?.find(({ key_id }) => key_id === id)?.hours;

  return (
    <ListPage
      title="Keys"
      noun="keys"
      actions={may("keys:write") && <LinkButton to="/keys/new">Create a key</LinkButton>}
      list={list}
      query={keys}
      search="Search"
      filters={FILTERS}
      columns={keyColumns(pulseOf)}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      sorting={sorting}
      menu={(key) => <KeyMenu record={key} />}
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
    />
  );
};
