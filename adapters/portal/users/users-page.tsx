import { admit } from "../../../core/access/decide.ts";
import { ROLES } from "../../../core/access/permissions.ts";
import type { Named } from "../../../core/names/names.ts";
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
import { powersOf } from "../session/powers.ts";
import { useMay, useSession } from "../session/session.tsx";
import { counted } from "../shell/figures.tsx";
import { LinkButton, PageLink } from "../shell/link.tsx";
import { DeactivateUsers } from "./deactivate-users.tsx";
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

const COLUMNS: readonly Column<Named<PresentedUser>>[] = [
  { head: "Name", sort: "name", firstOrder: "asc", cell: (user) => <UserNamed record={user} /> },
  { head: "Role", sort: "role", firstOrder: "asc", cell: ({ role }) => ROLE_WORDS[role] },
  {
    head: "Dealer",
    cell: ({ dealer_id: id, dealer_name: name }) => (id === null ? "None" : <DealerLink id={id} name={name} />),
  },
  { head: "Status", cell: (user) => <UserStateBadge record={user} /> },
  { head: "Since", numeric: true, sort: "created", cell: ({ created_at }) => <Day at={created_at} /> },
  { head: "Number", numeric: true, extra: true, cell: ({ id }) => id },
];

/** The visible users. */
export const UsersPage = () => {
  const list = useListState();
  const mayWrite = useMay()("users:write");
  const { user } = useSession();
  const mayEnd = admit(powersOf(user), "user.leave") === null;
  const sorting = list.sorting("created", "desc");
  const filters = user.role === "super_admin" ? [...FILTERS, DEALER_FILTER] : FILTERS;
  const users = useListed<Named<PresentedUser>>("/users", {
    ...Object.fromEntries(filters.map(({ name }) => [name, list.filter(name)])),
    q: list.filter("q"),
    sort: sorting.by,
    order: sorting.order,
    include: "names",
    ...list.window,
  });
  const total = users.data?.total;
  return (
    <ListPage
      title="Users"
      noun="users"
      line={total !== undefined && counted(total, "user")}
      actions={mayWrite && <LinkButton to="/users/new">Invite a user</LinkButton>}
      list={list}
      query={users}
      search="Name or email"
      filters={filters}
      sorting={sorting}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      bulk={mayEnd ? [{ label: "Deactivate…", dialog: (asked) => <DeactivateUsers {...asked} /> }] : []}
      empty={
        list.isFiltered ? (
          <Empty title="No user matches">Search for something else, or clear the filters.</Empty>
        ) : (
          <Empty title="No users yet">{mayWrite && <PageLink to="/users/new">Invite the first user</PageLink>}</Empty>
        )
      }
    />
  );
};
