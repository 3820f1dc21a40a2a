import type { PresentedKey } from "../../../core/keys/key.ts";
import { DealerLink } from "../dealers/dealer-choice.tsx";
import { StateBadge, type StateColor } from "../shell/state-badge.tsx";
import { UserLink } from "../users/user-choice.tsx";

type KeyState = "active" | "expired" | "revoked";

const COLORS: Readonly<Record<KeyState, StateColor>> = { active: "green", expired: "amber", revoked: "grey" };

/** Whether a key works, and if not, why. */
const stateOf = ({ active, expires_at }: PresentedKey): KeyState => {
  if (!active) return "revoked";
  return expires_at !== null && Date.parse(expires_at) <= Date.now() ? "expired" : "active";
};

/** Whether a key works, as a badge. */
export const KeyStateBadge = ({ record }: { record: PresentedKey }) => {
  const state = stateOf(record);
  return <StateBadge color={COLORS[state]}>{state}</StateBadge>;
};

/** What a key is tied to. */
export const AssociationOf = ({ record }: { record: PresentedKey }) => {
  if (record.association === "none") return "None (super-admin)";
  if (record.association === "dealer")
    return record.dealer_id === null ? "A dealer that is gone" : <DealerLink id={record.dealer_id} />;
  return record.user_id === null ? "A user who is gone" : <UserLink id={record.user_id} />;
};
