import type { PresentedKey } from "../../../core/keys/key.ts";
import type { Named } from "../../../core/names/names.ts";
import { DealerLink } from "../dealers/dealer-choice.tsx";
import { StateBadge, type StateColor } from "../shell/state-badge.tsx";
import { UserLink } from "../users/user-choice.tsx";

/** Whether a key works, and if not, why. */
export type KeyState = "active" | "expired" | "revoked";

const COLORS: Readonly<Record<KeyState, StateColor>> = { active: "green", expired: "amber", revoked: "grey" };

/** Whether a key works, and if not, why. */
export const stateOf = ({ active, expires_at }: PresentedKey): KeyState => {
  if (!active) return "revoked";
  return expires_at !== null && Date.parse(expires_at) <= Date.now() ? "expired" : "active";
};

interface KeyStateBadgeProps {
  readonly record: PresentedKey;
  /** False when it is known that its user is inactive: then the key does not work either. */
  readonly isUserActive?: boolean;
}

/** Whether a key works, as a badge. */
export const KeyStateBadge = ({ record, isUserActive = true }: KeyStateBadgeProps) => {
  const state = stateOf(record);
  if (state === "active" && !isUserActive) return <StateBadge color="grey">inactive</StateBadge>;
  return <StateBadge color={COLORS[state]}>{state}</StateBadge>;
};

/** A key with the names of its dealer and user; without them where a page did not ask for them. */
export type NamedKey = PresentedKey & Partial<Named<PresentedKey>>;

/** What a key is tied to, as a link for those who may read that record. */
export const AssociationOf = ({ record }: { record: NamedKey }) => {
  const { association, dealer_id, dealer_name, user_id, user_name } = record;
  if (association === "none") return "None (super-admin)";
  if (association === "dealer")
    return dealer_id === null ? "A dealer that is gone" : <DealerLink id={dealer_id} name={dealer_name} />;
  return user_id === null ? "A user who is gone" : <UserLink id={user_id} name={user_name} />;
};
