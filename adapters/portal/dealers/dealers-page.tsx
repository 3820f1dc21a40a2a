import { admit } from "../../../core/access/decide.ts";
import { useSearchedList } from "../api/queries.ts";
import type { Filter } from "../lists/filters.tsx";
import { ListPage } from "../lists/list-page.tsx";
import { toListQuery, useListState } from "../lists/list-state.ts";
import { EmptyState } from "../lists/record-list.tsx";
import { formatNumber } from "../page/figures.tsx";
import { LinkButton, PageLink } from "../page/link.tsx";
import { bindingOf, powersOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { FIGURE_COLUMNS, type ListedDealer, PLAIN_COLUMNS } from "./dealer-columns.tsx";

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

/** For those who look after many dealers. */
const NEEDS_HELP: Filter = {
  name: "needs_help",
  label: "Attention",
  options: [
    ["true", "Needs help"],
    ["false", "Needs none"],
  ],
};

/** The visible dealers. */
export const DealersPage = () => {
  const list = useListState();
  const { user } = useSession();
  const mayAdd = admit(powersOf(user), "dealer.create") === null;
  const hasFigures = bindingOf(user) === null && admit(powersOf(user), "dealer.today") === null;
  const filters = hasFigures ? [NEEDS_HELP, ...FILTERS] : FILTERS;
  const sorting = list.sorting("created", "desc");
  const dealers = useSearchedList<ListedDealer>("/dealers", {
    ...toListQuery(list, filters, sorting),
    ...(hasFigures && { include: "figures" }),
  });
  const total = dealers.data?.total;
  return (
    <ListPage
      title="Dealers"
      noun="dealers"
      subtitle={total !== undefined && `${formatNumber(total)} ${total === 1 ? "dealer" : "dealers"}`}
      besideViews={
        hasFigures && (
          <LinkButton to="/dealers?needs_help=true&sort=quality&order=asc" variant="default">
            Needs help
          </LinkButton>
        )
      }
      actions={mayAdd && <LinkButton to="/dealers/new">Add a dealer</LinkButton>}
      list={list}
      query={dealers}
      search="Name, city, state, email or phone"
      filters={filters}
      sorting={sorting}
      columns={hasFigures ? FIGURE_COLUMNS : PLAIN_COLUMNS}
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
