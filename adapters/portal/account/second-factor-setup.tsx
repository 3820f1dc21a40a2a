import { Text } from "@mantine/core";
import { change } from "../api/client.ts";
import { CopyText } from "../forms/copy-text.tsx";
import { FormDialog } from "../forms/dialog.tsx";
import { useDraft } from "../forms/draft.ts";
import { TextField } from "../forms/fields.tsx";
import { QrCode } from "./qr-code.tsx";

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
