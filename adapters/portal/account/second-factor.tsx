import { Button, Group, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { change } from "../api/client.ts";
import { SESSION } from "../api/queries.ts";
import { ConfirmDialog } from "../forms/dialog.tsx";
import { useDraft } from "../forms/draft.ts";
import { PasswordField } from "../forms/fields.tsx";
import { useSession } from "../session/session.tsx";
import { sayDone } from "../shell/done.ts";
import { Section } from "../shell/section.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { type Enrolment, SetUpSecondFactor } from "./second-factor-setup.tsx";

type Doing = "set up" | "switch off" | "new codes";

const TITLES: Readonly<Record<Doing, string>> = {
  "set up": "Set up a second factor",
  "switch off": "Switch the second factor off?",
  "new codes": "New recovery codes?",
};

const MEANINGS: Readonly<Record<Doing, string>> = {
  "set up": "You need an authenticator app. Confirm with your password that it is you.",
  "switch off": "The password alone will then be enough to sign in as you.",
  "new codes": "The recovery codes you have will no longer work.",
};

/** Asks for the password, then continues. */
const PasswordDialog = ({
  doing,
  onClose,
  onPassword,
}: {
  doing: Doing;
  onClose: () => void;
  onPassword: (password: string) => Promise<unknown>;
}) => {
  const { values, bind, isChanged } = useDraft({ password: "" });
  return (
    <ConfirmDialog
      title={TITLES[doing]}
      confirm="Continue"
      danger={doing === "switch off"}
      isChanged={isChanged}
      onClose={onClose}
      onConfirm={() => onPassword(values.password)}
    >
      <Text size="sm">{MEANINGS[doing]}</Text>
      <PasswordField {...bind("password")} label="Password" autoComplete="current-password" required autoFocus />
    </ConfirmDialog>
  );
};

/** The second factor of the own account: set up, switch off, recovery codes. */
export const SecondFactorSection = ({ onSetUp }: { onSetUp?: () => void }) => {
  const { second_factor, recovery_codes_left } = useSession();
  const client = useQueryClient();
  const [doing, setDoing] = useState<Doing | null>(null);
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);

  const withPassword = async (password: string): Promise<void> => {
    if (doing === "set up") setEnrolment(await change<Enrolment>("POST", "/second-factor", { password }));
    if (doing === "switch off") {
      await change("DELETE", "/second-factor", { password });
      sayDone("The second factor is off.");
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
    void client.invalidateQueries({ queryKey: SESSION });
  };

  const codesKept = async (): Promise<void> => {
    setCodes(null);
    await client.invalidateQueries({ queryKey: SESSION });
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
            <Button variant="default" onClick={() => setDoing("new codes")}>
              New recovery codes
            </Button>
            <Button variant="default" onClick={() => setDoing("switch off")}>
              Switch off
            </Button>
          </>
        ) : (
          <Button onClick={() => setDoing("set up")}>Set up</Button>
        )}
      </Group>
      {doing !== null && <PasswordDialog doing={doing} onClose={() => setDoing(null)} onPassword={withPassword} />}
      {enrolment !== null && (
        <SetUpSecondFactor enrolment={enrolment} onClose={() => setEnrolment(null)} onConfirmed={confirmed} />
      )}
      {codes !== null && <RecoveryCodes codes={codes} onClose={codesKept} />}
    </Section>
  );
};
