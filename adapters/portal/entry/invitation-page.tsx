import { Text } from "@mantine/core";
import { useState } from "react";
import { useLocation } from "wouter";
import { ApiError, change } from "../api/client.ts";
import { useRecord } from "../api/queries.ts";
import type { Invitation } from "../api/responses.ts";
import { useDraft } from "../forms/draft.ts";
import { PasswordField, TextField } from "../forms/fields.tsx";
import { Form } from "../forms/form.tsx";
import { PageLink } from "../page/link.tsx";
import { QueryResult } from "../page/query-result.tsx";
import { useReloadSession } from "../session/session.tsx";
import { DateTime } from "../times/times.tsx";
import { SignInFrame } from "./sign-in-frame.tsx";

const Acceptance = ({ token, invitation }: { token: string; invitation: Invitation }) => {
  const [, go] = useLocation();
  const reloadSession = useReloadSession();
  const [isUnequal, setIsUnequal] = useState(false);
  const { values, bind } = useDraft({ name: "", email: "", password: "", again: "" });
  const isFirst = invitation.kind === "first";
  const send = async (): Promise<void> => {
    const differs = values.password !== values.again;
    setIsUnequal(differs);
    if (differs)
      throw new ApiError({
        status: 400,
        code: "invalid_input",
        sentence: "The passwords differ",
        details: [{ path: "again", message: "is not the same password" }],
      });
    const { name, email, password } = values;
    await change(
      "POST",
      `/invitations/${encodeURIComponent(token)}`,
      isFirst ? { name, email, password } : { password },
    );
    go("/", { replace: true });
    await reloadSession();
  };
  return (
    <>
      <Text size="sm">
        {isFirst
          ? "You are about to make the first account of this service, with every permission."
          : `Welcome, ${invitation.name}. Choose the password of your account ${invitation.email ?? ""}.`}{" "}
        This link works once, until <DateTime at={invitation.expires_at} />.
      </Text>
      <Form label="Set up the account" submit="Set up the account" onSubmit={send}>
        {isFirst && <TextField {...bind("name")} label="Name" autoComplete="name" required />}
        {isFirst && <TextField {...bind("email")} label="Email" type="email" autoComplete="username" required />}
        <PasswordField
          {...bind("password")}
          label="Password"
          description="12 characters or more; several words that do not belong together are best"
          autoComplete="new-password"
          required
        />
        <PasswordField {...bind("again")} label="Password again" autoComplete="new-password" required />
        {isUnequal && <Text size="sm">Type the same password twice.</Text>}
      </Form>
    </>
  );
};

/** The page of an invitation or set-up link, where the user chooses a password. */
export const InvitationPage = ({ token }: { token: string }) => {
  const invitation = useRecord<Invitation>(`/invitations/${encodeURIComponent(token)}`, {}, { staleMs: Infinity });
  if (invitation.error instanceof ApiError && invitation.error.status === 404)
    return (
      <SignInFrame title="This link does not work">
        <Text size="sm">
          It was used already, has expired, or was replaced by a later one. Ask whoever invited you for a new link.
        </Text>
        <PageLink to="/">Go to the sign-in</PageLink>
      </SignInFrame>
    );
  return (
    <SignInFrame title="Set up your account">
      <QueryResult query={invitation} lines={3}>
        {(data) => <Acceptance token={token} invitation={data} />}
      </QueryResult>
    </SignInFrame>
  );
};
