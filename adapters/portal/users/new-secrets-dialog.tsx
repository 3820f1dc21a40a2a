import type { NewSecret } from "../api/answers.ts";
import { CopyText } from "../forms/copy-text.tsx";
import { ShownOnce } from "../keys/shown-once.tsx";

interface NewSecretsDialogProps {
  /** Whose keys they are. */
  readonly name: string;
  readonly secrets: readonly NewSecret[];
  readonly onClose: () => void;
}

/** Shows the new secrets of a user's keys once. */
export const NewSecretsDialog = ({ name, secrets, onClose }: NewSecretsDialogProps) => (
  <ShownOnce
    title={`The new secrets of ${name}`}
    notice="The keys are shown this once. The service keeps no copy and cannot show them again. The secrets from before have ended."
    taken={secrets.length === 1 ? "I have copied the key" : "I have copied the keys"}
    onClose={onClose}
  >
    {/* Keys may have the same name. */}
    {secrets.map(({ id, name: key, api_key }) => (
      <CopyText key={id} label={`${key} (key ${id})`} text={api_key} />
    ))}
  </ShownOnce>
);
