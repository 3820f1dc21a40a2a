import { Text } from "@mantine/core";
import type { PresentedUser } from "../../../core/users/user.ts";
import { useListed } from "../api/queries.ts";
import { ChoiceField, TextField } from "../forms/fields.tsx";
import { useMay, useSession } from "../session/session.tsx";
import { PageLink } from "../shell/link.tsx";

/** One page of the list; with more users, the form asks for the id. */
const MOST = 1000;
const STALE_MS = 60_000;

/** The visible users, read once for all components; only the signed-in user without the permission. */
export const useUsers = (): { readonly users: readonly PresentedUser[]; readonly areAll: boolean } => {
  const { user } = useSession();
  const enabled = useMay()("users:read");
  const { data } = useListed<PresentedUser>("/users", { limit: MOST }, { enabled, staleMs: STALE_MS });
  if (!enabled) return { users: [user], areAll: true };
  return { users: data?.items ?? [user], areAll: data !== undefined && data.total <= data.items.length };
};

/** A user's name as a link to their page. */
export const UserLink = ({ id }: { id: number }) => {
  const { users } = useUsers();
  const name = users.find((user) => user.id === id)?.name ?? `User ${id}`;
  return useMay()("users:read") ? <PageLink to={`/users/${id}`}>{name}</PageLink> : name;
};

interface UserFieldProps {
  readonly path: string;
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Users that cannot be chosen. */
  readonly except?: number;
  readonly required?: boolean;
}

/** A choice among the visible active users. */
export const UserField = ({ except, ...field }: UserFieldProps) => {
  const { users, areAll } = useUsers();
  if (!areAll)
    return (
      <>
        <TextField {...field} label={`${field.label} (number)`} inputMode="numeric" />
        <Text size="sm">{users.find(({ id }) => String(id) === field.value)?.name}</Text>
      </>
    );
  const choices = users
    .filter(({ id, active }) => active && id !== except)
    .map(({ id, name, email }) => [String(id), `${name} (${email})`] as const)
    .toSorted(([, one], [, other]) => one.localeCompare(other));
  return <ChoiceField {...field} options={[["", "Choose a user"] as const, ...choices]} />;
};
