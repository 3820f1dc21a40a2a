import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import type { NewSecret } from "../api/responses.ts";
import { CopyText } from "../forms/copy-text.tsx";
import { ShowOnceDialog } from "./show-once-dialog.tsx";

interface SecretsDialogProps {
  readonly title: string;
  /** Says what happened to the previous secrets. */
  readonly before: string;
  readonly secrets: readonly NewSecret[];
  readonly onClose: () => void;
}

/** Keys may have the same name. */
const nameOf = ({ id, name }: NewSecret): string => `${name} (key ${id})`;

const asFile = (secrets: readonly NewSecret[]): string =>
  `data:text/plain;charset=utf-8,${encodeURIComponent(secrets.map((one) => `${nameOf(one)}: ${one.api_key}\n`).join(""))}`;

/** Shows several new secrets once, to copy or to save as a file. */
export const SecretsDialog = ({ title, before, secrets, onClose }: SecretsDialogProps) => (
  <ShowOnceDialog
    title={title}
    notice={`The keys are shown this once. The service keeps no copy and cannot show them again. ${before}`}
    confirmLabel={secrets.length === 1 ? "I have copied the key" : "I have copied the keys"}
    onClose={onClose}
  >
    <Button
      component="a"
      variant="default"
      href={asFile(secrets)}
      download="new-secrets.txt"
      leftSection={<IconDownload size={16} aria-hidden />}
    >
      Download as a file
    </Button>
    {secrets.map((secret) => (
      <CopyText key={secret.id} label={nameOf(secret)} text={secret.api_key} />
    ))}
  </ShowOnceDialog>
);
