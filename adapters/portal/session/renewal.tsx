import { Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useContext, useEffect, useState } from "react";
import type { Session, SignIn } from "../api/answers.ts";
import { change, onWanted } from "../api/client.ts";
import { SESSION } from "../api/queries.ts";
import { Covered, Dialog, FormDialog } from "../forms/dialog.tsx";
import { useDraft } from "../forms/draft.ts";
import { PasswordField } from "../forms/fields.tsx";
import { useHasUnsaved } from "../forms/unsaved.ts";
import { SecondFactor } from "./sign-in-page.tsx";

const TITLE = "Sign in again";

/** Signs the same user in again, over the page. */
const RenewalDialog = ({ email, onCancel }: { email: string; onCancel: () => void }) => {
  const client = useQueryClient();
  const { values, bind } = useDraft({ password: "" });
  const [wantsCode, setWantsCode] = useState(false);
  const renewed = () => client.invalidateQueries({ queryKey: SESSION });
  const signIn = async (): Promise<void> => {
    const { second_factor } = await change<SignIn>("POST", "/sign-in", { email, password: values.password });
    if (second_factor) setWantsCode(true);
    else await renewed();
  };
  if (wantsCode)
    return (
      <Dialog title={TITLE} onClose={onCancel} size="md" over>
        <Stack>
          <SecondFactor onDone={renewed} />
        </Stack>
      </Dialog>
    );
  return (
    <FormDialog title={TITLE} submit="Sign in" onSubmit={signIn} onClose={onCancel} size="md" over>
      <Text size="sm">Your session as {email} has ended. What you have typed stays.</Text>
      <PasswordField {...bind("password")} label="Password" autoComplete="current-password" required autoFocus />
    </FormDialog>
  );
};

interface Waiting {
  readonly userId: number | null;
  readonly resolve: (isRenewed: boolean) => void;
}

interface RenewalProps {
  /** The session as it was last read; `null` when there is none. */
  readonly session: Session | null;
  /** The page for nobody. */
  readonly signIn: ReactNode;
  /** The pages of a session. */
  readonly children: (session: Session) => ReactNode;
}

/**
 * Renews a session that ended while something was typed or sent: the page stays behind a dialog, and what was refused
 * is sent again. Where nothing would be lost, the page for nobody is shown.
 */
export const Renewal = ({ session, signIn, children }: RenewalProps) => {
  const client = useQueryClient();
  const hasUnsaved = useHasUnsaved();
  const isCovered = useContext(Covered);
  const [last, setLast] = useState(session);
  const [waiting, setWaiting] = useState<readonly Waiting[]>([]);
  const [isPutOff, setIsPutOff] = useState(false);
  if (session !== null && session !== last) {
    setLast(session);
    setIsPutOff(false);
  }
  const userId = last?.user.id ?? null;
  useEffect(
    () =>
      onWanted("signed_out", () => {
        client.setQueryData(SESSION, null);
        return new Promise((resolve) => setWaiting((others) => [...others, { userId, resolve }]));
      }),
    [client, userId],
  );
  useEffect(() => {
    if (session === null || waiting.length === 0) return;
    // Another user's request must not be sent as this one.
    for (const request of waiting) request.resolve(request.userId === session.user.id);
    setWaiting([]);
  }, [session, waiting]);
  const cancel = (): void => {
    for (const request of waiting) request.resolve(false);
    setWaiting([]);
    setIsPutOff(true);
  };
  const isAsking = session === null && last !== null && (waiting.length > 0 || (hasUnsaved() && !isPutOff));
  const shown = session ?? (isAsking || hasUnsaved() ? last : null);
  if (shown === null) return signIn;
  return (
    <>
      <Covered value={isCovered || isAsking}>{children(shown)}</Covered>
      {isAsking && <RenewalDialog email={shown.user.email} onCancel={cancel} />}
    </>
  );
};
