import type { PresentedUser } from "../../../core/users/user.ts";
import { ROLE_WORDS } from "../api/answers.ts";
import { useListed } from "../api/queries.ts";
import { useListState } from "../lists/list-state.ts";
import { Listing } from "../lists/listing.tsx";
import { Empty } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { Day } from "../moments/moment.tsx";
import { UserNamed, UserStateBadge } from "../users/user-state.tsx";

const COLUMNS: readonly Column<PresentedUser>[] = [
  {
    head: "Name",
    sort: "name",
    firstOrder: "asc",
    cell: (user) => <UserNamed record={user} />,
  },
  { head: "Role", cell: ({ role }) => ROLE_WORDS[role] },
  {
    head: "Status",
    cell: (user) => <UserStateBadge record={user} />,
  },
  { head: "Since", numeric: true, sort: "created", cell: ({ created_at }) => <Day at={created_at} /> },
];

/** The users who belong to a dealer. */
export const DealerUsers = ({ dealerId }: { dealerId: number }) => {
  const list = useListState();
  const sorting = list.sorting("created", "desc");
  const users = useListed<PresentedUser>("/users", {
    dealer_id: dealerId,
    q: list.filter("q"),
    sort: sorting.by,
    order: sorting.order,
    ...list.window,
  });
  return (
    <Listing
      caption="Users"
      noun="users"
      list={list}
      query={users}
      search="Name or email"
      columns={COLUMNS}
      sorting={sorting}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      empty={
        list.isFiltered ? (
          <Empty title="No user matches">Search for something else, or clear the filters.</Empty>
        ) : (
          <Empty title="No users yet">Nobody belongs to this dealer.</Empty>
        )
      }
    />
  );
};
