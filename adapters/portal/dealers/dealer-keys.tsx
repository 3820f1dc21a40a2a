import type { PresentedKey } from "../../../core/keys/key.ts";
import { useListed } from "../api/queries.ts";
import { KeyMenu } from "../keys/key-menu.tsx";
import { KeyStateBadge } from "../keys/key-state.tsx";
import { useListState } from "../lists/list-state.ts";
import { Listing } from "../lists/listing.tsx";
import { Empty } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { TwoFacts } from "../lists/two-facts.tsx";
import { AgoOr, DayAndAgo } from "../moments/moment.tsx";
import { PageLink } from "../shell/link.tsx";

const COLUMNS: readonly Column<PresentedKey>[] = [
  {
    head: "Name",
    sort: "name",
    firstOrder: "asc",
    cell: (key) => (
      <TwoFacts first={<PageLink to={`/keys/${key.id}`}>{key.name}</PageLink>} second={<code>{key.key_start}…</code>} />
    ),
  },
  { head: "App type", cell: (key) => key.app_type },
  { head: "Status", cell: (key) => <KeyStateBadge record={key} /> },
  { head: "Last use", sort: "last_used", cell: (key) => <AgoOr at={key.last_used_at} otherwise="Never" /> },
  {
    head: "Expires",
    sort: "expires",
    cell: ({ expires_at }) => (expires_at === null ? "Never" : <DayAndAgo at={expires_at} />),
  },
];

/** The keys that are bound to a dealer. */
export const DealerKeys = ({ dealerId }: { dealerId: number }) => {
  const list = useListState();
  const sorting = list.sorting("created", "desc");
  const keys = useListed<PresentedKey>("/keys", {
    dealer_id: dealerId,
    q: list.filter("q"),
    sort: sorting.by,
    order: sorting.order,
    ...list.window,
  });
  return (
    <Listing
      caption="Keys"
      noun="keys"
      list={list}
      query={keys}
      search="Name or app id"
      columns={COLUMNS}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      sorting={sorting}
      menu={(key) => <KeyMenu record={key} />}
      empty={
        list.isFiltered ? (
          <Empty title="No key matches">Search for something else, or clear the filters.</Empty>
        ) : (
          <Empty title="No keys yet">No key is bound to this dealer.</Empty>
        )
      }
    />
  );
};
