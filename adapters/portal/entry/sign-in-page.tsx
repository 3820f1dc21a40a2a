import { Anchor, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { change } from "../api/client.ts";
import type { SignIn } from "../api/responses.ts";
import { useDraft } from "../forms/draft.ts";
import { PasswordField, TextField } from "../forms/fields.tsx";
import { Form } from "../forms/form.tsx";
import { useClearCache, useReloadSession } from "../session/session.tsx";
import { SignInFrame } from "./sign-in-frame.tsx";

/** The second step of a sign-in: a code of the authenticator app, or a recovery code. */
export const SecondFactorForm = ({ onDone }: { onDone: () => Promise<void> }) => {
  const [byRecoveryCode, setByRecoveryCode] = useState(false);
  const { values, set, bind } = useDraft({ code: "", recovery_code: "" });
  const send = async (): Promise<void> => {
    const { code, recovery_code } = values;
    await change<SignIn>(
      "POST",
      "/sign-in/second-factor",
      byRecoveryCode ? { recovery_code: recovery_code.trim() } : { code: code.replaceAll(" ", "") },
    );
    await onDone();
  };
  return (
    <>
      <Text size="sm">
        {byRecoveryCode
          ? "Enter one of the recovery codes you were shown when you set up the second factor. Each works once."
          : "Enter the six digits that your authenticator app shows now."}
      </Text>
      <Form key={String(byRecoveryCode)} label="Second factor" submit="Continue" onSubmit={send}>
        {byRecoveryCode ? (
          <TextField {...bind("recovery_code")} label="Recovery code" required autoFocus />
        ) : (
          <TextField {...bind("code")} label="Code" required inputMode="numeric" autoComplete="one-time-code" />
        )}
      </Form>
      <Anchor
        component="button"
        type="button"
        size="sm"
        onClick={() => {
          set({ code: "", recovery_code: "" });
          setByRecoveryCode(!byRecoveryCode);
        }}
      >
        {byRecoveryCode ? "Use a code of the app" : "Use a recovery code"}
      </Anchor>
    </>
  );
};

/** Shown at every URL without a session; after the sign-in, the page of that URL appears. */
export const SignInPage = () => {
  const reloadSession = useReloadSession();
  const clearCache = useClearCache();
  useEffect(clearCache, [clearCache]);
  const [wantsCode, setWantsCode] = useState(false);
  const { values, bind } = useDraft({ email: "", password: "" });
  const send = async (): Promise<void> => {
    const answer = await change<SignIn>("POST", "/sign-in", { email: values.email.trim(), password: values.password });
    if (answer.second_factor) setWantsCode(true);
    else await reloadSession();
  };
  return (
    <SignInFrame title={wantsCode ? "Second factor" : "Sign in"}>
      {wantsCode ? (
        <SecondFactorForm onDone={reloadSession} />
      ) : (
        <Form label="Sign in" submit="Sign in" onSubmit={send}>
          <TextField {...bind("email")} label="Email" type="email" autoComplete="username" required />
          <PasswordField {...bind("password")} label="Password" autoComplete="current-password" required />
        </Form>
      )}
    </SignInFrame>
  );
};
