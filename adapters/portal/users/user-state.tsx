import { stateOfUser, type UserState } from "../../../core/users/state.ts";
import type { PresentedUser } from "../../../core/users/user.ts";
import { TwoLineCell } from "../lists/two-line-cell.tsx";
import { PageLink } from "../page/link.tsx";
import { StateBadge, type StateColor } from "../page/state-badge.tsx";
import { useSession } from "../session/session.tsx";

const COLORS: Readonly<Record<UserState, StateColor>> = {
  active: "green",
  invited: "amber",
  inactive: "grey",
};

/** Whether a user is active, invited or inactive, as a badge. */
export const UserStateBadge = ({ record }: { record: PresentedUser }) => {
  const state = stateOfUser(record);
  return <StateBadge color={COLORS[state]}>{state}</StateBadge>;
};

/** A user in a list, by name and address, marked if it is the signed-in user. */
export const UserNameCell = ({ record: { id, name, email } }: { record: PresentedUser }) => (
  <TwoLineCell
    first={<PageLink to={`/users/${id}`}>{name}</PageLink>}
    second={useSession().user.id === id ? `${email} · This is you` : email}
  />
);
