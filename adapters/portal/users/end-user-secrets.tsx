import type { PresentedUser } from "../../../core/users/user.ts";
import { useList } from "../api/queries.ts";
import { useDealerName } from "../choices/dealer-choice.tsx";
import { dataInWords, EndSecrets } from "../keys/end-secrets.tsx";
import { useMay } from "../session/session.tsx";
import type { GainedAccess } from "./user-draft.ts";

/** The number of a user's keys (`null` if not visible), and whether the signed-in user may rotate them. */
export const useKeysOf = (userId: number): { readonly count: number | null; readonly mayRotate: boolean } => {
  const may = useMay();
  const query = { user_id: userId, limit: 1 };
  const { data } = useList<{ readonly id: number }>("/keys", query, { enabled: may("keys:read") });
  const count = data?.total ?? null;
  return { count, mayRotate: may("keys:write") && count !== 0 };
};

const ownedBy = (name: string, count: number | null): string =>
  count === null
    ? `The keys of ${name} can do`
    : `${name} has ${count === 1 ? "1 key, which" : `${count} keys, which`} can do`;

interface EndUserSecretsProps {
  readonly record: PresentedUser;
  readonly gain: GainedAccess;
  readonly count: number | null;
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
}

/** Proposes to rotate all keys of a user who gains access. */
export const EndUserSecrets = ({ record, gain, count, ...field }: EndUserSecretsProps) => {
  const data = dataInWords(gain, useDealerName(gain.dealerId));
  const gained =
    gain.reachesOtherData && data !== null
      ? `would have access to ${data}`
      : `could do with it what ${record.name} may do after this change`;
  return (
    <EndSecrets path="rotate_keys" count={count} {...field}>
      {ownedBy(record.name, count)} what the user can. Whoever knows the secret of{" "}
      {count === 1 ? "this key" : "one of these keys"} {gained}.
    </EndSecrets>
  );
};
