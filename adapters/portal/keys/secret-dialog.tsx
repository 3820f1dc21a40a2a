import { Button, Checkbox, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { ShownKey } from "../api/answers.ts";
import { CopyText } from "../forms/copy-text.tsx";
import { Dialog } from "../forms/dialog.tsx";
import { Notice } from "../shell/notice.tsx";

/** A first request with this key, ready for a shell. */
const curlOf = ({ api_key, app_type }: ShownKey): string => {
  const type = app_type === "desktop" ? ` -H "X-App-Type: desktop"` : "";
  return `curl "${window.location.origin}/api/vehicles?limit=1" -H "X-API-Key: ${api_key}"${type}`;
};

/** Shows a secret, this once; it is left only by saying that it was copied. */
export const SecretDialog = ({ shown, onClose }: { shown: ShownKey; onClose: () => void }) => {
  const [isCopied, setIsCopied] = useState(false);
  return (
    <Dialog title={`The secret of ${shown.name}`} onClose={onClose} size="xl" dismissible={false}>
      <Stack>
        <Notice title="Copy it now">
          <Text size="sm">The key is shown this once. The service keeps no copy and cannot show it again.</Text>
        </Notice>
        <CopyText label="API key" text={shown.api_key} />
        <CopyText label="First request" text={curlOf(shown)} />
        <Checkbox
          label="I have copied the key"
          checked={isCopied}
          onChange={(event) => setIsCopied(event.currentTarget.checked)}
        />
        <Button onClick={onClose} disabled={!isCopied}>
          Done
        </Button>
      </Stack>
    </Dialog>
  );
};
