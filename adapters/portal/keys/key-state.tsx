import type { PresentedKey } from "../../../core/keys/key.ts";
import type { Named } from "../../../core/names/names.ts";
import { DealerLink } from "../choices/dealer-choice.tsx";
import { UserLink } from "../choices/user-choice.tsx";
import { StateBadge, type StateColor } from "../page/state-badge.tsx";

/** Whether a key works, and if not, why. */
export type KeyState = "active" | "expired" | "revoked" | "user inactive";

/** The color of each state, and an explanation where the label is not enough. */
const STATE_BADGES: Readonly<Record<KeyState, { readonly color: StateColor; readonly title?: string }>> = {
  active: { color: "green" },
  expired: { color: "amber" },
  revoked: { color: "grey" },
  "user inactive": {
    color: "amber",
    title: "Requests with this key are refused until its user is active again, or the key is another user's.",
  },
};

/** A key with what `include=names` adds: the names of its dealer and user, and whether the user is active. */
export type NamedKey = PresentedKey & Partial<Named<PresentedKey>> & { readonly user_active?: boolean | null };

/** Whether a key works, and if not, why. */
export const stateOf = ({ active, expires_at, user_active }: NamedKey): KeyState => {
  if (!active) return "revoked";
  if (expires_at !== null && Date.parse(expires_at) <= Date.now()) return "expired";
  return user_active === false ? "user inactive" : "active";
};

/** Whether a key works, as a badge. */
export const KeyStateBadge = ({ record }: { record: NamedKey }) => {
  const state = stateOf(record);
  return <StateBadge {...STATE_BADGES[state]}>{state}</StateBadge>;
};

/** The dealer or user of a key, as a link for users who may read that record. */
export const AssociationOf = ({ record }: { record: NamedKey }) => {
  const { association, dealer_id, dealer_name, user_id, user_name } = record;
  if (association === "none") return "None (super-admin)";
  if (association === "dealer")
    return dealer_id === null ? "A dealer that is gone" : <DealerLink id={dealer_id} name={dealer_name} />;
  return user_id === null ? "A user who is gone" : <UserLink id={user_id} name={user_name} />;
};
