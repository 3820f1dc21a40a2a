import { APP_TYPES } from "../../../core/access/permissions.ts";
import type { Sparkline as Pulse } from "../../../core/keys/usage.ts";
import { useRecord, useSearched } from "../api/queries.ts";
import { DEALER_FILTER } from "../dealers/dealer-choice.tsx";
import type { Filter } from "../lists/filters.tsx";
import { queryOf, useListState } from "../lists/list-state.ts";
import type { Column } from "../lists/record-table.tsx";
import { TwoFacts } from "../lists/two-facts.tsx";
import { AgoOr, Day, HowFar } from "../moments/moment.tsx";
import { bindingOf } from "../session/powers.ts";
import { useMay, useSession } from "../session/session.tsx";
import { PageLink } from "../shell/link.tsx";
import { USER_FILTER } from "../users/user-choice.tsx";
import { KEY_CHANGES } from "./change-keys.tsx";
import { KeyMenu } from "./key-menu.tsx";
import { AssociationOf, KeyStateBadge, type NamedKey } from "./key-state.tsx";
import { OldSecretMark } from "./old-secret.tsx";
import { Sparkline } from "./sparkline.tsx";

const FILTERS: readonly Filter[] = [
  {
    name: "status",
    label: "Status",
    options: [
      ["active", "Active"],
      ["expired", "Expired"],
      ["revoked", "Revoked"],
    ],
  },
  { name: "app_type", label: "App type", options: APP_TYPES.map((type) => [type, type] as const) },
];

/** Filters and columns of keys whose dealers differ. */
const OWNERS: Filter = {
  name: "association",
  label: "Association",
  options: [
    ["dealer", "Dealer"],
    ["user", "User"],
    ["none", "None"],
  ],
};
const OWNER: Column<NamedKey> = { head: "Association", cell: (key) => <AssociationOf record={key} /> };

const columnsOf = (
  pulseOf: (id: number) => readonly number[] | undefined,
  owner: readonly Column<NamedKey>[],
): readonly Column<NamedKey>[] => [
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
  ...owner,
  { head: "Status", cell: (key) => <KeyStateBadge record={key} /> },
  { head: "Last use", sort: "last_used", cell: (key) => <AgoOr at={key.last_used_at} otherwise="Never" /> },
  {
    head: "Expires",
    sort: "expires",
    cell: ({ expires_at }) =>
      expires_at === null ? (
        "Never"
      ) : (
        <TwoFacts isShort first={<Day at={expires_at} />} second={<HowFar at={expires_at} />} />
      ),
  },
  { head: "Last 24 hours", cell: (key) => <Sparkline hours={pulseOf(key.id)} /> },
  { head: "App id", extra: true, cell: (key) => key.app_id },
  { head: "Requests a minute", extra: true, numeric: true, cell: (key) => key.effective_rate_limit },
  { head: "Created", extra: true, sort: "created", cell: (key) => <Day at={key.created_at} /> },
];

/** A list of keys as its page or tab shows it: of all that are in sight, or of one dealer. */
export const useKeyList = (dealerId?: number) => {
  const list = useListState();
  const sorting = list.sorting("created", "desc");
  const isOfAll = dealerId === undefined;
  const may = useMay();
  const { user } = useSession();
  const filters = [
    ...FILTERS,
    ...(isOfAll ? [OWNERS] : []),
    ...(isOfAll && bindingOf(user) === null && may("dealers:read") ? [DEALER_FILTER] : []),
    ...(isOfAll && may("users:read") ? [USER_FILTER] : []),
  ];
  const query = useSearched<NamedKey>("/keys", {
    ...queryOf(list, filters, sorting),
    ...(!isOfAll && { dealer_id: dealerId }),
    include: "names",
  });
  const ids = (query.data?.items ?? []).map(({ id }) => id).join(",");
  const pulses = useRecord<readonly Pulse[]>("/key-usage", { ids }, { enabled: ids !== "", staleMs: 30_000 });
  const pulseOf = (id: number) => pulses.data?.find(({ key_id }) => key_id === id)?.hours;
  return {
    list,
    query,
    noun: "keys",
    search: isOfAll ? "Name, dealer or user" : "Name or app id",
    filters,
    columns: columnsOf(pulseOf, isOfAll ? [OWNER] : []),
    sorting,
    keyOf: ({ id }: NamedKey) => id,
    nameOf: ({ name }: NamedKey) => name,
    bulk: may("keys:write") ? KEY_CHANGES : [],
    menu: (key: NamedKey) => <KeyMenu record={key} />,
  };
};
