import type { NewSecret } from "../api/responses.ts";
import { SecretsDialog } from "../keys/secrets-dialog.tsx";

interface NewSecretsDialogProps {
  /** The name of the user to whom the keys belong. */
  readonly name: string;
  readonly secrets: readonly NewSecret[];
  readonly onClose: () => void;
}

/** Shows the new secrets of a user's keys once. */
export const NewSecretsDialog = ({ name, ...dialogProps }: NewSecretsDialogProps) => (
  <SecretsDialog title={`The new secrets of ${name}`} before="The secrets from before have ended." {...dialogProps} />
);
