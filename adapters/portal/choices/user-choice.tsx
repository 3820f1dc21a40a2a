import type { PresentedUser } from "../../../core/users/user.ts";
import { ChoiceField } from "../forms/fields.tsx";
import { RecordField } from "../forms/record-field.tsx";
import { type RecordSource, useRecordById, useRecordName } from "../forms/record-source.ts";
import type { Filter } from "../lists/filters.tsx";
import { PageLink } from "../page/link.tsx";
import { useMay, useSession } from "../session/session.tsx";

const USERS: RecordSource = {
  path: "/users",
  needs: "users:read",
  noun: "user",
  nameOf: ({ name, email }) => (email == null ? name : `${name} (${email})`),
};
const BY_NAME: RecordSource = { ...USERS, nameOf: ({ name }) => name };

/** The chosen user; the signed-in user is known without a request. */
export const useChosenUser = (id: string): PresentedUser | null => {
  const { user } = useSession();
  const chosen = useRecordById<PresentedUser>(USERS, id);
  return chosen ?? (String(user.id) === id ? user : null);
};

/** The name of a user as text. */
export const UserName = ({ id }: { id: number }) => {
  const { user } = useSession();
  const name = useRecordName(BY_NAME, String(id));
  return user.id === id ? user.name : name;
};

/** A filter by user. */
export const USER_FILTER: Filter = { name: "user_id", label: "User", records: BY_NAME };

/**
 * A user's name as a link to their page, marked if it is the signed-in user; looked up if the record lacks it
 * (`include=names`).
 */
export const UserLink = ({ id, name }: { id: number; name?: string | null | undefined }) => {
  const { user } = useSession();
  const label = name ?? <UserName id={id} />;
  return (
    <>
      {useMay()("users:read") ? <PageLink to={`/users/${id}`}>{label}</PageLink> : label}
      {user.id === id && " · This is you"}
    </>
  );
};

interface UserFieldProps {
  readonly path: string;
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The ids of records that cannot be chosen. */
  readonly excludedIds?: readonly number[];
  readonly required?: boolean;
}

/** A choice among the visible active users; users who may not see others can only choose themselves. */
export const UserField = ({ excludedIds, ...field }: UserFieldProps) => {
  const { user } = useSession();
  if (!useMay()(USERS.needs))
    return (
      <ChoiceField
        {...field}
        options={[
          ["", "Choose a user"],
          [String(user.id), USERS.nameOf(user)],
        ]}
      />
    );
  return (
    <RecordField
      {...field}
      placeholder="Choose a user"
      source={USERS}
      filters={{ active: "true" }}
      excludedIds={excludedIds}
    />
  );
};
