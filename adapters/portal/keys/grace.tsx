import type { PresentedKey } from "../../../core/keys/key.ts";
import { ChoiceField } from "../forms/fields.tsx";

const GRACES = [
  ["0", "None: the old secret ends now"],
  ["3600", "1 hour"],
  ["86400", "24 hours"],
  ["604800", "7 days"],
] as const;

/** For how many seconds old secrets keep working. */
export type Grace = (typeof GRACES)[number][0];

const RECENT_MS = 7 * 86_400_000;

const isUsedRecently = ({ last_used_at }: PresentedKey): boolean =>
  last_used_at !== null && Date.now() - Date.parse(last_used_at) < RECENT_MS;

/** One day for the clients that used one of these keys lately; none if there are none. */
export const defaultGrace = (keys: readonly PresentedKey[]): Grace => (keys.some(isUsedRecently) ? "86400" : "0");

/** A choice of how long old secrets keep working. */
export const GraceField = (field: {
  readonly label: string;
  readonly value: Grace;
  readonly onChange: (grace: Grace) => void;
}) => <ChoiceField path="grace_seconds" options={GRACES} {...field} />;
