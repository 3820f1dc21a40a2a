import type { PresentedUser } from "../../../core/users/user.ts";
import { ROLE_WORDS } from "../api/answers.ts";
import { useListed } from "../api/queries.ts";
import { useListState } from "../lists/list-state.ts";
import { Listing } from "../lists/listing.tsx";
import { Empty } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { TwoFacts } from "../lists/two-facts.tsx";
import { Day } from "../moments/moment.tsx";
import { PageLink } from "../shell/link.tsx";
import { StateBadge } from "../shell/state-badge.tsx";

const COLUMNS: readonly Column<PresentedUser>[] = [
  {
    head: "Name",
    cell: ({ id, name, email }) => <TwoFacts first={<PageLink to={`/users/${id}`}>{name}</PageLink>} second={email} />,
  },
  { head: "Role", cell: ({ role }) => ROLE_WORDS[role] },
  {
    head: "Status",
    cell: ({ active }) =>
      active ? <StateBadge color="green">active</StateBadge> : <StateBadge color="grey">inactive</StateBadge>,
  },
  { head: "Since", numeric: true, cell: ({ created_at }) => <Day at={created_at} /> },
];

/** The users who belong to a dealer. */
export const DealerUsers = ({ dealerId }: { dealerId: number }) => {
  const list = useListState();
  const users = useListed<PresentedUser>("/users", { dealer_id: dealerId, ...list.window });
  return (
    <Listing
      caption="Users"
      noun="users"
      list={list}
      query={users}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      empty={<Empty title="No users yet">Nobody belongs to this dealer.</Empty>}
    />
  );
};
