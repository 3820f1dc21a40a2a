import type { LastDay } from "../../../core/keys/refusals.ts";
import type { Sparkline as KeySparkline } from "../../../core/keys/usage.ts";
import { APP_TYPES } from "../../../core/permissions.ts";
import { useRecord, useSearchedList } from "../api/queries.ts";
import { DEALER_FILTER } from "../choices/dealer-choice.tsx";
import { USER_FILTER } from "../choices/user-choice.tsx";
import type { Filter } from "../lists/filters.tsx";
import { toListQuery, useListState } from "../lists/list-state.ts";
import type { Column } from "../lists/record-table.tsx";
import { TwoLineCell } from "../lists/two-line-cell.tsx";
import { formatNumber } from "../page/figures.tsx";
import { PageLink } from "../page/link.tsx";
import { bindingOf } from "../session/powers.ts";
import { useMay, useSession } from "../session/session.tsx";
import { CalendarDate, RelativeTimeOr, RelativeTimeText } from "../times/times.tsx";
import { KEY_CHANGES } from "./change-keys.tsx";
import { UnusedMark } from "./key-ending.tsx";
import { KeyMenu } from "./key-menu.tsx";
import { AssociationOf, KeyStateBadge, type NamedKey } from "./key-state.tsx";
import { OldSecretMark } from "./old-secret.tsx";
import { RefusedShare } from "./refused.tsx";
import { Sparkline } from "./sparkline.tsx";
import { hoursAgo } from "./usage-spans.ts";

/** A key of the list, with its last 24 hours. */
type ListedKey = NamedKey & Partial<LastDay>;

/** The hours within which keys were refused. The request has a moment instead. */
const REFUSED_LATELY = "refused_lately";

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
  {
    name: REFUSED_LATELY,
    label: "Refused lately",
    options: [
      ["1", "In this hour"],
      ["24", "In 24 hours"],
      ["168", "In 7 days"],
    ],
  },
  { name: "app_type", label: "App type", options: APP_TYPES.map((type) => [type, type] as const) },
];

/** Filters and columns for keys of several dealers. */
const OWNERS: Filter = {
  name: "association",
  label: "Association",
  options: [
    ["dealer", "Dealer"],
    ["user", "User"],
    ["none", "None"],
  ],
};
const OWNER: Column<ListedKey> = {
  head: "Association",
  leaves: "second",
  cell: (key) => <AssociationOf record={key} />,
};

const columnsOf = (
  lines: readonly KeySparkline[] | undefined,
  owner: readonly Column<ListedKey>[],
): readonly Column<ListedKey>[] => [
  {
    head: "Name",
    sort: "name",
    firstOrder: "asc",
    cell: (key) => (
      <TwoLineCell
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
  { head: "App type", hiddenByDefault: true, cell: (key) => key.app_type },
  ...owner,
  {
    head: "Status",
    cell: (key) => <TwoLineCell noWrap first={<KeyStateBadge record={key} />} second={<UnusedMark record={key} />} />,
  },
  {
    head: "Last 24 hours",
    leaves: "second",
    cell: (key) => (
      <Sparkline
        line={lines?.find(({ key_id }) => key_id === key.id)}
        most={Math.max(1, ...(lines ?? []).flatMap(({ hours }) => hours))}
      />
    ),
  },
  {
    head: "Requests 24 h",
    numeric: true,
    sort: "requests",
    cell: ({ requests_24h = 0 }) => formatNumber(requests_24h),
  },
  { head: "Refused %", numeric: true, sort: "refused_share", cell: (key) => <RefusedShare day={key} /> },
  {
    head: "Last use",
    leaves: "first",
    sort: "last_used",
    cell: (key) => <RelativeTimeOr at={key.last_used_at} otherwise="Never" />,
  },
  {
    head: "Expires",
    leaves: "first",
    sort: "expires",
    cell: ({ expires_at }) =>
      expires_at === null ? (
        "Never"
      ) : (
        <TwoLineCell noWrap first={<CalendarDate at={expires_at} />} second={<RelativeTimeText at={expires_at} />} />
      ),
  },
  { head: "App id", hiddenByDefault: true, cell: (key) => key.app_id },
  { head: "Requests a minute", hiddenByDefault: true, numeric: true, cell: (key) => key.effective_rate_limit },
  { head: "Created", hiddenByDefault: true, sort: "created", cell: (key) => <CalendarDate at={key.created_at} /> },
];

/** A list of keys for a page or tab: all visible keys, or those of one dealer. */
export const useKeyList = (dealerId?: number) => {
  const list = useListState();
  const sorting = list.sorting("created", "desc");
  const isOfAllDealers = dealerId === undefined;
  const may = useMay();
  const { user } = useSession();
  const filters = [
    ...FILTERS,
    ...(isOfAllDealers ? [OWNERS] : []),
    ...(isOfAllDealers && bindingOf(user) === null && may("dealers:read") ? [DEALER_FILTER] : []),
    ...(isOfAllDealers && may("users:read") ? [USER_FILTER] : []),
  ];
  const asked = filters.filter(({ name }) => name !== REFUSED_LATELY);
  const hours = Number(list.filter(REFUSED_LATELY));
  const query = useSearchedList<ListedKey>("/keys", {
    ...toListQuery(list, asked, sorting),
    ...(hours > 0 && { refused_since: hoursAgo(hours) }),
    ...(!isOfAllDealers && { dealer_id: dealerId }),
    include: "names,usage",
  });
  const ids = (query.data?.items ?? []).map(({ id }) => id).join(",");
  const sparklines = useRecord<readonly KeySparkline[]>(
    "/key-usage",
    { ids },
    { enabled: ids !== "", staleMs: 30_000 },
  );
  return {
    list,
    query,
    noun: "keys",
    search: isOfAllDealers ? "Name, dealer or user" : "Name or app id",
    filters,
    columns: columnsOf(sparklines.data, isOfAllDealers ? [OWNER] : []),
    sorting,
    keyOf: ({ id }: NamedKey) => id,
    nameOf: ({ name }: NamedKey) => name,
    bulk: may("keys:write") ? KEY_CHANGES : [],
    menu: (key: NamedKey) => <KeyMenu record={key} />,
  };
};
