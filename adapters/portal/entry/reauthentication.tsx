import { Button, Text } from "@mantine/core";
import { type ReactNode, useContext, useEffect, useState } from "react";
import { change, onRequirement } from "../api/client.ts";
import { BehindDialog, FormDialog } from "../forms/dialog.tsx";
import { useDraft } from "../forms/draft.ts";
import { PasswordField, TextField } from "../forms/fields.tsx";
import { useSession } from "../session/session.tsx";

const TITLE = "Is it still you?";

/** Asks for the password or a code in a dialog above the page. */
const ProofDialog = ({ onProved, onCancel }: { onProved: () => void; onCancel: () => void }) => {
  const { second_factor } = useSession();
  const [way, setWay] = useState<"password" | "code">("password");
  const { values, bind } = useDraft({ password: "", code: "" });
  const prove = async (): Promise<void> => {
    await change("POST", "/reauthenticate", { [way]: values[way] });
    onProved();
  };
  return (
    <FormDialog title={TITLE} submit="Continue" onSubmit={prove} onClose={onCancel} size="md" isOnTop>
      <Text size="sm">
        This change needs your password again, as you gave it more than 30 minutes ago. What you have typed stays.
      </Text>
      {way === "password" ? (
        <PasswordField {...bind("password")} label="Password" autoComplete="current-password" required autoFocus />
      ) : (
        <TextField
          {...bind("code")}
          label="Code"
          description="Six digits, from your authenticator app"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          autoFocus
        />
      )}
      {second_factor && (
        <div>
          <Button size="compact-sm" variant="subtle" onClick={() => setWay(way === "password" ? "code" : "password")}>
            {way === "password" ? "Use a code of your app" : "Use the password"}
          </Button>
        </div>
      )}
    </FormDialog>
  );
};

/**
 * Handles changes that need a recent proof. The form waits behind the dialog: after the proof its request is sent
 * again; without one it fails and the form keeps its values.
 */
export const Reauthentication = ({ children }: { children: ReactNode }) => {
  const [waiting, setWaiting] = useState<readonly ((proved: boolean) => void)[]>([]);
  useEffect(
    () =>
      onRequirement(
        "reauthentication_required",
        () => new Promise((resolve) => setWaiting((others) => [...others, resolve])),
      ),
    [],
  );
  const answer = (proved: boolean): void => {
    for (const resolve of waiting) resolve(proved);
    setWaiting([]);
  };
  const isAsking = waiting.length > 0;
  return (
    <>
      <BehindDialog value={useContext(BehindDialog) || isAsking}>{children}</BehindDialog>
      {isAsking && <ProofDialog onProved={() => answer(true)} onCancel={() => answer(false)} />}
    </>
  );
};
