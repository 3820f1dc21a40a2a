import { Button, Checkbox, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { encode } from "uqr";
import { change } from "../api/client.ts";
import { CopyText } from "../forms/copy-text.tsx";
import { Dialog, FormDialog } from "../forms/dialog.tsx";
import { useDraft } from "../forms/draft.ts";
import { TextField } from "../forms/fields.tsx";

/** Text as a QR code, drawn in the browser and sent nowhere. */
const QrCode = ({ text, label }: { text: string; label: string }) => {
  const { data, size } = encode(text, { border: 2 });
  const dark = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")));
  return (
    <svg className="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <title>{label}</title>
      <path d={dark.join("")} fill="#000" />
    </svg>
  );
};

/** What an authenticator app needs. */
export interface Enrolment {
  readonly uri: string;
  readonly secret: string;
}

interface SetUpProps {
  readonly enrolment: Enrolment;
  readonly onClose: () => void;
  readonly onConfirmed: (recoveryCodes: readonly string[]) => void;
}

/** Shows the secret to an authenticator app, and verifies it with a code. */
export const SetUpSecondFactor = ({ enrolment, onClose, onConfirmed }: SetUpProps) => {
  const { values, bind, isChanged } = useDraft({ code: "" });
  const confirm = async (): Promise<void> => {
    const code = values.code.replaceAll(" ", "");
    const answer = await change<{ recovery_codes: readonly string[] }>("POST", "/second-factor/confirm", { code });
    onConfirmed(answer.recovery_codes);
  };
  return (
    <FormDialog
      title="Connect your authenticator app"
      label="Confirm the second factor"
      submit="Confirm"
      isChanged={isChanged}
      onSubmit={confirm}
      onClose={onClose}
    >
      <Text size="sm">Scan this code with the app, or type the secret into it. Then enter the code that it shows.</Text>
      <QrCode text={enrolment.uri} label="QR code with the secret of the second factor" />
      <CopyText label="Secret" text={enrolment.secret} />
      <TextField {...bind("code")} label="Code" inputMode="numeric" autoComplete="one-time-code" required />
    </FormDialog>
  );
};

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
