import { admit } from "../../../core/access/decide.ts";
import type { Named } from "../../../core/names/names.ts";
import { ROLES } from "../../../core/permissions.ts";
import type { PresentedUser } from "../../../core/users/user.ts";
import { useSearchedList } from "../api/queries.ts";
import { ROLE_LABELS } from "../api/responses.ts";
import { DEALER_FILTER, DealerLink } from "../choices/dealer-choice.tsx";
import type { BulkAction } from "../lists/bulk.tsx";
import type { Filter } from "../lists/filters.tsx";
import { toListQuery, useListState } from "../lists/list-state.ts";
import type { Column } from "../lists/record-table.tsx";
import { powersOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { CalendarDate } from "../times/times.tsx";
import { DeactivateUsers } from "./deactivate-users.tsx";
import { UserNameCell, UserStateBadge } from "./user-state.tsx";

type Row = Named<PresentedUser>;

const FILTERS: readonly Filter[] = [
  { name: "role", label: "Role", options: ROLES.map((role) => [role, ROLE_LABELS[role]] as const) },
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
  { head: "Name", sort: "name", firstOrder: "asc", cell: (user) => <UserNameCell record={user} /> },
  { head: "Role", sort: "role", firstOrder: "asc", cell: ({ role }) => ROLE_LABELS[role] },
  ...dealer,
  { head: "Status", cell: (user) => <UserStateBadge record={user} /> },
  { head: "Since", numeric: true, sort: "created", cell: ({ created_at }) => <CalendarDate at={created_at} /> },
  { head: "Number", numeric: true, hiddenByDefault: true, cell: ({ id }) => id },
];

const DEACTIVATE: BulkAction<Row> = {
  label: "Deactivate…",
  dialog: (dialogProps) => <DeactivateUsers {...dialogProps} />,
};

/** A list of users for a page or tab: all visible users, or those of one dealer. */
export const useUserList = (dealerId?: number) => {
  const list = useListState();
  const sorting = list.sorting("created", "desc");
  const { user } = useSession();
  const isOfAllDealers = dealerId === undefined;
  const filters = isOfAllDealers && user.role === "super_admin" ? [...FILTERS, DEALER_FILTER] : FILTERS;
  const query = useSearchedList<Row>("/users", {
    ...toListQuery(list, filters, sorting),
    ...(!isOfAllDealers && { dealer_id: dealerId }),
    include: "names",
  });
  return {
    list,
    query,
    noun: "users",
    search: "Name or email",
    filters,
    columns: columnsOf(isOfAllDealers ? [DEALER] : []),
    sorting,
    keyOf: ({ id }: Row) => id,
    nameOf: ({ name }: Row) => name,
    bulk: admit(powersOf(user), "user.leave") === null ? [DEACTIVATE] : [],
  };
};
