import { admit } from "../../../core/access/decide.ts";
import { ROLES } from "../../../core/access/permissions.ts";
import type { Named } from "../../../core/names/names.ts";
import type { PresentedUser } from "../../../core/users/user.ts";
import { ROLE_WORDS } from "../api/answers.ts";
import { useSearched } from "../api/queries.ts";
import { DEALER_FILTER, DealerLink } from "../dealers/dealer-choice.tsx";
import type { BulkAction } from "../lists/bulk.tsx";
import type { Filter } from "../lists/filters.tsx";
import { queryOf, useListState } from "../lists/list-state.ts";
import type { Column } from "../lists/record-table.tsx";
import { Day } from "../moments/moment.tsx";
import { powersOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { DeactivateUsers } from "./deactivate-users.tsx";
import { UserNamed, UserStateBadge } from "./user-state.tsx";

type Row = Named<PresentedUser>;

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

const DEALER: Column<Row> = {
  head: "Dealer",
  cell: ({ dealer_id: id, dealer_name: name }) => (id === null ? "None" : <DealerLink id={id} name={name} />),
};

const columnsOf = (dealer: readonly Column<Row>[]): readonly Column<Row>[] => [
  { head: "Name", sort: "name", firstOrder: "asc", cell: (user) => <UserNamed record={user} /> },
  { head: "Role", sort: "role", firstOrder: "asc", cell: ({ role }) => ROLE_WORDS[role] },
  ...dealer,
  { head: "Status", cell: (user) => <UserStateBadge record={user} /> },
  { head: "Since", numeric: true, sort: "created", cell: ({ created_at }) => <Day at={created_at} /> },
  { head: "Number", numeric: true, extra: true, cell: ({ id }) => id },
];

const DEACTIVATE: BulkAction<Row> = {
  label: "Deactivate…",
  dialog: (asked) => <DeactivateUsers {...asked} />,
};

/** A list of users as its page or tab shows it: of all that are in sight, or of one dealer. */
export const useUserList = (dealerId?: number) => {
  const list = useListState();
  const sorting = list.sorting("created", "desc");
  const { user } = useSession();
  const isOfAll = dealerId === undefined;
  const filters = isOfAll && user.role === "super_admin" ? [...FILTERS, DEALER_FILTER] : FILTERS;
  const query = useSearched<Row>("/users", {
    ...queryOf(list, filters, sorting),
    ...(!isOfAll && { dealer_id: dealerId }),
    include: "names",
  });
  return {
    list,
    query,
    noun: "users",
    search: "Name or email",
    filters,
    columns: columnsOf(isOfAll ? [DEALER] : []),
    sorting,
    keyOf: ({ id }: Row) => id,
    nameOf: ({ name }: Row) => name,
    bulk: admit(powersOf(user), "user.leave") === null ? [DEACTIVATE] : [],
  };
};
