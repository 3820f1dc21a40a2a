import { type ReactNode, useState } from "react";
import type { PresentedKey } from "../../../core/keys/key.ts";
import { change } from "../api/client.ts";
import { ConfirmDialog } from "../forms/dialog.tsx";
import { ChoiceField } from "../forms/fields.tsx";

const GRACES = [
  ["3600", "1 hour"],
  ["86400", "24 hours"],
  ["604800", "7 days"],
] as const;
const NONE = "0";

/** For how many seconds old secrets keep working. */
export type Grace = typeof NONE | (typeof GRACES)[number][0];

const RECENT_MS = 7 * 86_400_000;

const isUsedRecently = ({ last_used_at }: PresentedKey): boolean =>
  last_used_at !== null && Date.now() - Date.parse(last_used_at) < RECENT_MS;

/** One day for the clients that used one of these keys lately; none if there are none. */
export const defaultGrace = (keys: readonly PresentedKey[]): Grace => (keys.some(isUsedRecently) ? "86400" : NONE);

interface GraceFieldProps {
  readonly label: string;
  /** What ends now if there is no grace. */
  readonly ending?: string;
  readonly value: Grace;
  readonly onChange: (grace: Grace) => void;
}

/** A choice of how long old secrets keep working. */
export const GraceField = ({ ending = "the old secret", ...field }: GraceFieldProps) => (
  <ChoiceField path="grace_seconds" options={[[NONE, `None: ${ending} ends now`], ...GRACES]} {...field} />
);

interface RotateDialogProps<Answer> extends Pick<GraceFieldProps, "label" | "ending"> {
  readonly title: string;
  /** Where the rotation is asked for. */
  readonly path: string;
  /** By default one day: a person must first hand the new secret on. */
  readonly usual?: Grace;
  /** What becomes of those who use the old secret. */
  readonly explain: (endsNow: boolean) => ReactNode;
  /** Shows the new secret. */
  readonly showOnce: (answer: Answer, onClose: () => void) => ReactNode;
  readonly onClose: () => void;
}

/** Asks before a secret is replaced, and shows the new one. */
export const RotateDialog = <Answer extends object>({
  title,
  path,
  usual = "86400",
  explain,
  showOnce,
  onClose,
  ...field
}: RotateDialogProps<Answer>) => {
  const [first] = useState(usual);
  const [grace, setGrace] = useState(first);
  const [answer, setAnswer] = useState<Answer | null>(null);
  if (answer !== null) return showOnce(answer, onClose);
  return (
    <ConfirmDialog
      title={title}
      confirm="Rotate"
      danger={grace === NONE}
      isChanged={grace !== first}
      onClose={onClose}
      // The secret is shown next.
      onDone={() => {}}
      onConfirm={async () => setAnswer(await change<Answer>("POST", path, { grace_seconds: Number(grace) }))}
    >
      {explain(grace === NONE)}
      <GraceField value={grace} onChange={setGrace} {...field} />
    </ConfirmDialog>
  );
};
