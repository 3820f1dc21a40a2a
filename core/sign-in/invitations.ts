import Type from "typebox";
import type { Clock, Timestamp } from "../clock.ts";
import { Failure, type Outcome } from "../failure.ts";
import type { Issue } from "../issues.ts";
import { email, requiredText, text } from "../schema.ts";
import { EMAIL_TAKEN } from "../users/user-repository.ts";
import { validator } from "../validation.ts";
import type { FirstUser, InvitationKind, InvitationRepository } from "./account-repository.ts";
import type { Authenticator, Client, SignInResult, Tokens } from "./authenticator.ts";
import { clientActor } from "./client-actor.ts";
import type { Devices } from "./devices.ts";
import type { Lockout } from "./lockout.ts";
import {
  type CommonPasswords,
  MAX_PASSWORD,
  MIN_PASSWORD,
  type PasswordOwner,
  passwordFault,
} from "./password-rules.ts";
import type { SecurityEvents } from "./security-events.ts";
import type { SessionStarter } from "./session-starter.ts";
import { agentOf } from "./sign-in-record.ts";

/**
 * The time for which an invitation is valid, in seconds. Each start replaces the invitation of the first super-admin.
 */
export const INVITATION_SECONDS = 7 * 24 * 60 * 60;
const FIRST_INVITATION_SECONDS = 24 * 60 * 60;
/** Instances that start within this time count as starting together. */
const STARTING_SECONDS = 60;

/** A new password. `password-rules.ts` has the rules besides its length. */
export const password = () => text(MIN_PASSWORD, MAX_PASSWORD, { description: "The password." });

/** The issues of a new password. Values that the schema refuses anyway have none. */
export const passwordIssues = ({
  path,
  chosen,
  owner,
  isCommon,
}: {
  readonly path: string;
  readonly chosen: unknown;
  readonly owner: PasswordOwner;
  readonly isCommon: CommonPasswords;
}): Issue[] => {
  if (typeof chosen !== "string" || chosen.length < MIN_PASSWORD) return [];
  if (chosen.length > MAX_PASSWORD && [...chosen].length > MAX_PASSWORD) return [];
  const message = passwordFault(chosen, owner, isCommon);
  return message === null ? [] : [{ path, message }];
};

/** Body of POST /portal/api/invitations/:token. */
const Acceptance = Type.Object({
  password: password(),
  name: Type.Optional(requiredText(100)),
  email: Type.Optional(email()),
});
const acceptance = validator(Acceptance);

const missing = (path: string): Issue => ({ path, message: "is required" });
const unwanted = (path: string): Issue => ({ path, message: "is not asked for: the invitation is a user's" });

/** The first super-admin must send a name and an email address. Other users must not. `fields` are the valid ones. */
const issuesOf = (kind: InvitationKind, input: unknown, fields: Readonly<Record<string, unknown>>): Issue[] =>
  ["name", "email"].flatMap((path) =>
    kind === "first" && !Object.hasOwn(Object(input), path)
      ? [missing(path)]
      : kind === "invitation" && fields[path] !== undefined
        ? [unwanted(path)]
        : [],
  );

/** What an invitation tells the person who has its link. */
export interface DescribedInvitation {
  readonly kind: InvitationKind;
  readonly name: string | null;
  readonly email: string | null;
  readonly expires_at: Timestamp;
}

const VOID = new Failure({ kind: "invitation-void" });

/** Links with which users set their password, including the first super-admin. */
export const makeInvitations = (ports: {
  readonly invitations: InvitationRepository;
  readonly authenticator: Pick<Authenticator, "hashPassword">;
  readonly entries: SessionStarter;
  readonly tokens: Tokens;
  readonly lockout: Pick<Lockout, "release">;
  readonly devices: Pick<Devices, "remember">;
  readonly clock: Clock;
  readonly events: SecurityEvents;
  readonly isCommonPassword: CommonPasswords;
}) => {
  const { invitations, authenticator, entries, tokens, lockout, devices, clock, events, isCommonPassword } = ports;

  return {
    async describe(token: string): Promise<Outcome<DescribedInvitation>> {
      const invitation = await invitations.find(tokens.hashOf(token), clock.now());
      if (invitation === null) return VOID;
      const { kind, user, expiresAt } = invitation;
      return { kind, name: user?.name ?? null, email: user?.email ?? null, expires_at: expiresAt };
    },

    /** Uses up an invitation and signs its user in. A second factor is still required. */
    async accept(token: string, input: unknown, client: Client): Promise<Outcome<SignInResult>> {
      const hash = tokens.hashOf(token);
      const invitation = await invitations.find(hash, clock.now());
      if (invitation === null) return VOID;
      const body = acceptance.parse(input, (fields) => {
        const owner = { email: invitation.user?.email ?? (typeof fields.email === "string" ? fields.email : null) };
        return [
          ...issuesOf(invitation.kind, input, fields),
          ...passwordIssues({ path: "password", chosen: fields.password, owner, isCommon: isCommonPassword }),
        ];
      });
      if (body instanceof Failure) return body;
      const first: FirstUser | null =
        invitation.kind === "first" ? { name: body.name ?? "", email: body.email ?? "" } : null;
      const passwordHash = await authenticator.hashPassword(body.password);
      const user = await invitations.use({ tokenHash: hash, passwordHash, first, now: clock.now() });
      if (user === EMAIL_TAKEN) return new Failure({ kind: "email-taken" });
      if (user === null) return VOID;
      await lockout.release(user.email);
      await events.record({
        event: "user.invitation-used",
        concerned: user,
        by: clientActor(client, user),
        details: agentOf(client),
      });
      const entry = await entries.begin({ user, passwordHash, client });
      if (entry === null) return VOID;
      if (entry.needsSecondFactor) return entry;
      return entries.finish(entry, async () => {
        return { ...entry, cookies: [...entry.cookies, await devices.remember(user.id, client)] };
      });
    },

    /** The token for the link of the first super-admin. `null` if somebody can sign in or was invited already. */
    async offerFirst(): Promise<string | null> {
      const { token, hash } = tokens.issue();
      const made = await invitations.offerFirst({
        tokenHash: hash,
        now: clock.now(),
        expiresAt: clock.after(FIRST_INVITATION_SECONDS),
        replaced: clock.after(-STARTING_SECONDS),
      });
      return made ? token : null;
    },
  };
};

export type Invitations = ReturnType<typeof makeInvitations>;
