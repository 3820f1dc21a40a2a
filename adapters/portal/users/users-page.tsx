import { ROLES } from "../../../core/access/permissions.ts";
import type { PresentedUser } from "../../../core/users/user.ts";
import { ROLE_WORDS } from "../api/answers.ts";
import { useListed } from "../api/queries.ts";
import { DEALER_FILTER, DealerLink } from "../dealers/dealer-choice.tsx";
import type { Filter } from "../lists/filters.tsx";
import { ListPage } from "../lists/list-page.tsx";
import { useListState } from "../lists/list-state.ts";
import { Empty } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { Day } from "../moments/moment.tsx";
import { useMay, useSession } from "../session/session.tsx";
import { LinkButton } from "../shell/link.tsx";
import { UserNamed, UserStateBadge } from "./user-state.tsx";

const FILTERS: readonly Filter[] = [
  { name: "role", label: "Role", options: ROLES.map((role) => [role, ROLE_WORDS[role]] as const) },
  {
    name: "active",
    label: "Status",
    options: [
      ["true", "Active"],
      ["false", "Inactive"],
    ],
  },
];

const COLUMNS: readonly Column<PresentedUser>[] = [
  {
    head: "Name",
    cell: (user) => <UserNamed record={user} />,
  },
  { head: "Role", cell: ({ role }) => ROLE_WORDS[role] },
  { head: "Dealer", cell: ({ dealer_id }) => (dealer_id === null ? "None" : <DealerLink id={dealer_id} />) },
  {
    head: "Status",
    cell: (user) => <UserStateBadge record={user} />,
  },
  { head: "Since", cell: ({ created_at }) => <Day at={created_at} /> },
];

/** The visible users. */
export const UsersPage = () => {
  const list = useListState();
  const may = useMay();
  const { user } = useSession();
  const users = useListed<PresentedUser>("/users", {
    role: list.filter("role"),
    active: list.filter("active"),
    dealer_id: list.filter("dealer_id"),
    ...list.window,
  });
  return (
    <ListPage
      title="Users"
      noun="users"
      actions={may("users:write") && <LinkButton to="/users/new">Invite a user</LinkButton>}
      list={list}
      query={users}
      filters={user.role === "super_admin" ? [...FILTERS, DEALER_FILTER] : FILTERS}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      empty={
        <Empty title={list.isFiltered ? "No user matches" : "No users yet"}>
          {list.isFiltered ? "Clear the filters to see all." : "Invite the first one."}
        </Empty>
      }
    />
  );
};
