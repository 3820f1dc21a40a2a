import { admit } from "../../../core/access/decide.ts";
import type { Dealer } from "../../../core/dealers/dealer.ts";
import { useSearchedList } from "../api/queries.ts";
import type { Filter } from "../lists/filters.tsx";
import { ListPage } from "../lists/list-page.tsx";
import { toListQuery, useListState } from "../lists/list-state.ts";
import { EmptyState } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { TwoLineCell } from "../lists/two-line-cell.tsx";
import { formatNumber } from "../page/figures.tsx";
import { LinkButton, PageLink } from "../page/link.tsx";
import { powersOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { CalendarDate } from "../times/times.tsx";
import { DealerState } from "./dealer-facts.tsx";

type ListedDealer = Pick<Dealer, "id" | "name" | "city" | "state" | "phone" | "email" | "active" | "created_at">;

const FILTERS: readonly Filter[] = [
  { name: "city", label: "City" },
  { name: "state", label: "State" },
  {
    name: "active",
    label: "Status",
    options: [
      ["true", "Active"],
      ["false", "Inactive"],
    ],
  },
];

const COLUMNS: readonly Column<ListedDealer>[] = [
  {
    head: "Name",
    sort: "name",
    firstOrder: "asc",
    cell: ({ id, name, city, state }) => (
      <TwoLineCell first={<PageLink to={`/dealers/${id}`}>{name}</PageLink>} second={`${city}, ${state}`} />
    ),
  },
  { head: "Email", cell: ({ email, phone }) => <TwoLineCell first={email} second={phone} /> },
  { head: "Status", cell: (dealer) => <DealerState dealer={dealer} /> },
  { head: "Since", numeric: true, sort: "created", cell: ({ created_at }) => <CalendarDate at={created_at} /> },
  { head: "Number", numeric: true, hiddenByDefault: true, cell: ({ id }) => id },
];

/** The visible dealers. */
export const DealersPage = () => {
  const list = useListState();
  const { user } = useSession();
  const mayAdd = admit(powersOf(user), "dealer.create") === null;
  const sorting = list.sorting("created", "desc");
  const dealers = useSearchedList<ListedDealer>("/dealers", toListQuery(list, FILTERS, sorting));
  const total = dealers.data?.total;
  return (
    <ListPage
      title="Dealers"
      noun="dealers"
      subtitle={total !== undefined && `${formatNumber(total)} ${total === 1 ? "dealer" : "dealers"}`}
      actions={mayAdd && <LinkButton to="/dealers/new">Add a dealer</LinkButton>}
      list={list}
      query={dealers}
      search="Name, city, state, email or phone"
      filters={FILTERS}
      sorting={sorting}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      empty={
        list.isFiltered ? (
          <EmptyState title="No dealer matches">Search for something else, or clear the filters.</EmptyState>
        ) : (
          <EmptyState title="No dealers yet">
            {mayAdd ? <PageLink to="/dealers/new">Add the first dealer</PageLink> : "There are none that you may see."}
          </EmptyState>
        )
      }
    />
  );
};
