import { Button, Checkbox, Stack, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import type { KeyWithSecret, NewSecret } from "../api/responses.ts";
import { CopyText } from "../forms/copy-text.tsx";
import { Dialog } from "../forms/dialog.tsx";
import { Notice } from "../page/notice.tsx";
import { firstRequest } from "./first-request.ts";

interface ShowOnceDialogProps {
  readonly title: string;
  /** What the user should know about them. */
  readonly notice: string;
  /** The label of the checkbox that lets the user close the dialog. */
  readonly confirmLabel: string;
  readonly onClose: () => void;
  /** The secrets. */
  readonly children: ReactNode;
}

/** Shows secrets once; the user must confirm that they are copied. */
export const ShowOnceDialog = ({ title, notice, confirmLabel, onClose, children }: ShowOnceDialogProps) => {
  const [isConfirmed, setIsConfirmed] = useState(false);
  return (
    <Dialog title={title} onClose={onClose} size="xl" dismissible={false}>
      <Stack>
        <Notice title="Copy now">
          <Text size="sm">{notice}</Text>
        </Notice>
        {children}
        <Checkbox
          label={confirmLabel}
          checked={isConfirmed}
          onChange={(event) => setIsConfirmed(event.currentTarget.checked)}
        />
        <Button onClick={onClose} disabled={!isConfirmed}>
          Done
        </Button>
      </Stack>
    </Dialog>
  );
};

/** Shows a secret once; the user must confirm that it is copied. */
export const SecretDialog = ({ keyWithSecret, onClose }: { keyWithSecret: KeyWithSecret; onClose: () => void }) => (
  <ShowOnceDialog
    title={`The secret of ${keyWithSecret.name}`}
    notice="The key is shown this once. The service keeps no copy and cannot show it again."
    confirmLabel="I have copied the key"
    onClose={onClose}
  >
    <CopyText label="API key" text={keyWithSecret.api_key} />
    <CopyText label="First request" text={firstRequest(keyWithSecret, window.location.origin)} />
  </ShowOnceDialog>
);

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
