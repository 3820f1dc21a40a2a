import { admit } from "../../../core/access/decide.ts";
import type { Dealer } from "../../../core/dealers/dealer.ts";
import { useListed } from "../api/queries.ts";
import { ChoiceFilter, Filters, TextFilter } from "../lists/filters.tsx";
import { useListState } from "../lists/list-state.ts";
import { Pager } from "../lists/pager.tsx";
import { Empty, RecordList } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { Day } from "../moments/moment.tsx";
import { powersOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { LinkButton, PageLink } from "../shell/link.tsx";
import { Page } from "../shell/page.tsx";
import { StateBadge } from "../shell/state-badge.tsx";

type ListedDealer = Pick<Dealer, "id" | "name" | "city" | "state" | "phone" | "email" | "active" | "created_at">;

const ACTIVE_CHOICES = [
  ["true", "Active"],
  ["false", "Inactive"],
] as const;

const COLUMNS: readonly Column<ListedDealer>[] = [
  {
    head: "Name",
    cell: ({ id, name }) => (
      <div className="wraps">
        <PageLink to={`/dealers/${id}`}>{name}</PageLink>
      </div>
    ),
  },
  { head: "City", cell: ({ city, state }) => `${city}, ${state}` },
  { head: "Phone", cell: ({ phone }) => phone },
  { head: "Email", cell: ({ email }) => email },
  {
    head: "Status",
    cell: ({ active }) =>
      active ? <StateBadge color="green">active</StateBadge> : <StateBadge color="red">inactive</StateBadge>,
  },
  { head: "Since", cell: ({ created_at }) => <Day at={created_at} /> },
];

/** The visible dealers. */
export const DealersPage = () => {
  const list = useListState();
  const { user } = useSession();
  const mayAdd = admit(powersOf(user), "dealer.create") === null;
  const dealers = useListed<ListedDealer>("/dealers", {
    state: list.filter("state"),
    city: list.filter("city"),
    active: list.filter("active"),
    ...list.window,
  });
  return (
    <Page title="Dealers" actions={mayAdd && <LinkButton to="/dealers/new">Add a dealer</LinkButton>}>
      <Filters list={list}>
        <TextFilter list={list} name="city" label="City" />
        <TextFilter list={list} name="state" label="State" />
        <ChoiceFilter list={list} name="active" label="Status" options={ACTIVE_CHOICES} />
      </Filters>
      <RecordList
        caption="Dealers"
        query={dealers}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={
          list.isFiltered ? (
            <Empty title="No dealer matches">City and state match as a whole. Clear the filters to see all.</Empty>
          ) : (
            <Empty title="No dealers yet">
              {mayAdd ? <PageLink to="/dealers/new">Add the first dealer</PageLink> : "None is in your sight."}
            </Empty>
          )
        }
        below={({ total }) => <Pager list={list} total={total} noun="dealers" />}
      />
    </Page>
  );
};
