import { ROLES } from "../../../core/access/permissions.ts";
import type { PresentedUser } from "../../../core/users/user.ts";
import { ROLE_WORDS } from "../api/answers.ts";
import { useListed } from "../api/queries.ts";
import { DealerFilter, DealerLink } from "../dealers/dealer-choice.tsx";
import { ChoiceFilter, Filters } from "../lists/filters.tsx";
import { useListState } from "../lists/list-state.ts";
import { Pager } from "../lists/pager.tsx";
import { Empty, RecordList } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { Day } from "../moments/moment.tsx";
import { useMay, useSession } from "../session/session.tsx";
import { LinkButton, PageLink } from "../shell/link.tsx";
import { Page } from "../shell/page.tsx";
import { StateBadge } from "../shell/state-badge.tsx";

const ROLE_CHOICES = ROLES.map((role) => [role, ROLE_WORDS[role]] as const);

/** Options of the filter by active state. */
const ACTIVE_CHOICES = [
  ["true", "Active"],
  ["false", "Inactive"],
] as const;

const COLUMNS: readonly Column<PresentedUser>[] = [
  {
    head: "Name",
    cell: (user) => (
      <div className="wraps">
        <PageLink to={`/users/${user.id}`}>{user.name}</PageLink>
        <br />
        {user.email}
      </div>
    ),
  },
  { head: "Role", cell: ({ role }) => ROLE_WORDS[role] },
  { head: "Dealer", cell: ({ dealer_id }) => (dealer_id === null ? "None" : <DealerLink id={dealer_id} />) },
  {
    head: "Status",
    cell: ({ active }) =>
      active ? <StateBadge color="green">active</StateBadge> : <StateBadge color="red">inactive</StateBadge>,
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
    <Page title="Users" actions={may("users:write") && <LinkButton to="/users/new">Invite a user</LinkButton>}>
      <Filters list={list}>
        <ChoiceFilter list={list} name="role" label="Role" options={ROLE_CHOICES} />
        <ChoiceFilter list={list} name="active" label="Status" options={ACTIVE_CHOICES} />
        {user.role === "super_admin" && <DealerFilter list={list} />}
      </Filters>
      <RecordList
        caption="Users"
        query={users}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={
          <Empty title={list.isFiltered ? "No user matches" : "No users yet"}>
            {list.isFiltered ? "Clear the filters to see all." : "Invite the first one."}
          </Empty>
        }
        below={({ total }) => <Pager list={list} total={total} noun="users" />}
      />
    </Page>
  );
};
