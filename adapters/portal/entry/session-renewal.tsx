import { Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useContext, useEffect, useState } from "react";
import { change, onRequirement } from "../api/client.ts";
import { SESSION_KEY } from "../api/queries.ts";
import type { Session, SignIn } from "../api/responses.ts";
import { BehindDialog, Dialog, FormDialog } from "../forms/dialog.tsx";
import { useDraft } from "../forms/draft.ts";
import { PasswordField } from "../forms/fields.tsx";
import { useHasUnsaved } from "../forms/unsaved.ts";
import { SecondFactorForm } from "./sign-in-page.tsx";

const TITLE = "Sign in again";

/** Signs the same user in again, over the page. */
const RenewalDialog = ({ email, onCancel }: { email: string; onCancel: () => void }) => {
  const client = useQueryClient();
  const { values, bind } = useDraft({ password: "" });
  const [wantsCode, setWantsCode] = useState(false);
  const renewed = () => client.invalidateQueries({ queryKey: SESSION_KEY });
  const signIn = async (): Promise<void> => {
    const { second_factor } = await change<SignIn>("POST", "/sign-in", { email, password: values.password });
    if (second_factor) setWantsCode(true);
    else await renewed();
  };
  if (wantsCode)
    return (
      <Dialog title={TITLE} onClose={onCancel} size="md" isOnTop>
        <Stack>
          <SecondFactorForm onDone={renewed} />
        </Stack>
      </Dialog>
    );
  return (
    <FormDialog title={TITLE} submit="Sign in" onSubmit={signIn} onClose={onCancel} size="md" isOnTop>
      <Text size="sm">Your session as {email} has ended. What you have typed stays.</Text>
      <PasswordField {...bind("password")} label="Password" autoComplete="current-password" required autoFocus />
    </FormDialog>
  );
};

interface WaitingRequest {
  readonly userId: number | null;
  readonly resolve: (isRenewed: boolean) => void;
}

interface SessionRenewalProps {
  /** The session as last read; `null` if there is none. */
  readonly session: Session | null;
  /** The sign-in page, shown without a session. */
  readonly signIn: ReactNode;
  /** The pages shown with a session. */
  readonly children: (session: Session) => ReactNode;
}

/**
 * Renews a session that ended while the user typed or sent something: a dialog covers the page, and refused requests
 * are sent again. If nothing would be lost, the sign-in page is shown instead.
 */
export const SessionRenewal = ({ session, signIn, children }: SessionRenewalProps) => {
  const client = useQueryClient();
  const hasUnsaved = useHasUnsaved();
  const isCovered = useContext(BehindDialog);
  const [lastSession, setLastSession] = useState(session);
  const [waiting, setWaiting] = useState<readonly WaitingRequest[]>([]);
  const [isDismissed, setIsDismissed] = useState(false);
  if (session !== null && session !== lastSession) {
    setLastSession(session);
    setIsDismissed(false);
  }
  const userId = lastSession?.user.id ?? null;
  useEffect(
    () =>
      onRequirement("signed_out", () => {
        client.setQueryData(SESSION_KEY, null);
        return new Promise((resolve) => setWaiting((others) => [...others, { userId, resolve }]));
      }),
    [client, userId],
  );
  useEffect(() => {
    if (session === null || waiting.length === 0) return;
    // A request of the previous user must not be sent as another user.
    for (const request of waiting) request.resolve(request.userId === session.user.id);
    setWaiting([]);
  }, [session, waiting]);
  const cancel = (): void => {
    for (const request of waiting) request.resolve(false);
    setWaiting([]);
    setIsDismissed(true);
  };
  const isAsking = session === null && lastSession !== null && (waiting.length > 0 || (hasUnsaved() && !isDismissed));
  const shownSession = session ?? (isAsking || hasUnsaved() ? lastSession : null);
  if (shownSession === null) return signIn;
  return (
    <>
      <BehindDialog value={isCovered || isAsking}>{children(shownSession)}</BehindDialog>
      {isAsking && <RenewalDialog email={shownSession.user.email} onCancel={cancel} />}
    </>
  );
};
