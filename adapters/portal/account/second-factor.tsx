import { Button, Group, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { change } from "../api/client.ts";
import { SESSION_KEY } from "../api/queries.ts";
import { ConfirmDialog } from "../forms/dialog.tsx";
import { useDraft } from "../forms/draft.ts";
import { PasswordField } from "../forms/fields.tsx";
import { notify } from "../page/notify.tsx";
import { Section } from "../page/section.tsx";
import { useSession } from "../session/session.tsx";
import { type Enrolment, RecoveryCodes, SetUpSecondFactor } from "./second-factor-setup.tsx";

type SecondFactorAction = "set up" | "switch off" | "new codes";

const TITLES: Readonly<Record<SecondFactorAction, string>> = {
  "set up": "Set up a second factor",
  "switch off": "Switch the second factor off?",
  "new codes": "New recovery codes?",
};

const EXPLANATIONS: Readonly<Record<SecondFactorAction, string>> = {
  "set up": "You need an authenticator app. Confirm with your password that it is you.",
  "switch off": "The password alone will then be enough to sign in as you.",
  "new codes": "The recovery codes you have will no longer work.",
};

/** Asks for the password, then continues. */
const PasswordDialog = ({
  action,
  onClose,
  onPassword,
}: {
  action: SecondFactorAction;
  onClose: () => void;
  onPassword: (password: string) => Promise<unknown>;
}) => {
  const { values, bind, isChanged } = useDraft({ password: "" });
  return (
    <ConfirmDialog
      title={TITLES[action]}
      confirm="Continue"
      danger={action === "switch off"}
      isChanged={isChanged}
      onClose={onClose}
      onConfirm={() => onPassword(values.password)}
    >
      <Text size="sm">{EXPLANATIONS[action]}</Text>
      <PasswordField {...bind("password")} label="Password" autoComplete="current-password" required autoFocus />
    </ConfirmDialog>
  );
};

/** The second factor of the user's own account: set up, switch off, recovery codes. */
export const SecondFactorSection = ({ onSetUp }: { onSetUp?: () => void }) => {
  const { second_factor, recovery_codes_left } = useSession();
  const client = useQueryClient();
  const [doing, setAction] = useState<SecondFactorAction | null>(null);
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);

  const withPassword = async (password: string): Promise<void> => {
    if (doing === "set up") setEnrolment(await change<Enrolment>("POST", "/second-factor", { password }));
    if (doing === "switch off") {
      await change("DELETE", "/second-factor", { password });
      notify("The second factor is off.");
    }
    if (doing === "new codes") {
      const answer = await change<{ recovery_codes: readonly string[] }>("POST", "/second-factor/recovery-codes", {
        password,
      });
      setCodes(answer.recovery_codes);
    }
  };

  const confirmed = (recoveryCodes: readonly string[]): void => {
    setEnrolment(null);
    setCodes(recoveryCodes);
    void client.invalidateQueries({ queryKey: SESSION_KEY });
  };

  const codesKept = async (): Promise<void> => {
    setCodes(null);
    await client.invalidateQueries({ queryKey: SESSION_KEY });
    onSetUp?.();
  };

  return (
    <Section title="Second factor">
      <Text size="sm">
        {second_factor
          ? `On. ${recovery_codes_left} recovery codes are left.`
          : "Off. With a second factor, a stolen password is not enough to sign in as you."}
      </Text>
      <Group gap="xs">
        {second_factor ? (
          <>
            <Button variant="default" onClick={() => setAction("new codes")}>
              New recovery codes
            </Button>
            <Button variant="default" onClick={() => setAction("switch off")}>
              Switch off
            </Button>
          </>
        ) : (
          <Button onClick={() => setAction("set up")}>Set up</Button>
        )}
      </Group>
      {doing !== null && <PasswordDialog action={doing} onClose={() => setAction(null)} onPassword={withPassword} />}
      {enrolment !== null && (
        <SetUpSecondFactor enrolment={enrolment} onClose={() => setEnrolment(null)} onConfirmed={confirmed} />
      )}
      {codes !== null && <RecoveryCodes codes={codes} onClose={codesKept} />}
    </Section>
  );
};
