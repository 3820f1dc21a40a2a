import { Button, Checkbox, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { CopyText } from "../forms/copy-text.tsx";
import { Dialog } from "../forms/dialog.tsx";

/** Shows recovery codes once; the user must confirm that they are saved. */
export const RecoveryCodes = ({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) => {
  const [isSaved, setIsSaved] = useState(false);
  return (
    <Dialog title="Your recovery codes" onClose={onClose} dismissible={false}>
      <Stack>
        <Text size="sm">
          Keep them where you find them without your authenticator app. Each signs you in once in its place. They are
          shown this once.
        </Text>
        <CopyText label="Recovery codes" text={codes.join("\n")} />
        <Checkbox
          label="I have kept the recovery codes"
          checked={isSaved}
          onChange={(event) => setIsSaved(event.currentTarget.checked)}
        />
        <Button onClick={onClose} disabled={!isSaved}>
          Done
        </Button>
      </Stack>
    </Dialog>
  );
};
