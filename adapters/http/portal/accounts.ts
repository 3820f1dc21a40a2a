import Type from "typebox";
import { Failure, type Outcome } from "../../../core/failure.ts";
import { id } from "../../../core/schema.ts";
import type { Accounts } from "../../../core/sign-in/accounts.ts";
import { OffboardingBody, type OffboardingUsers } from "../../../core/users/offboarding.ts";
import type { UndoOffboarding } from "../../../core/users/undo-offboarding.ts";
import { DoneAnswer, nullable } from "../api/answers.ts";
import { UserParams } from "../api/users.ts";
import { type Answer, done, type Route, route } from "../protocol/route.ts";

const SessionParams = Type.Object({ id: id(), session_id: id() });

const dateTime = Type.String({ format: "date-time" });

const InvitationAnswer = Type.Object(
  { url: Type.String(), expires_at: dateTime, sent: Type.Boolean() },
  { title: "Invitation" },
);
const StateAnswer = Type.Object({
  second_factor: Type.Boolean(),
  invited_until: nullable(dateTime),
  has_password: Type.Boolean(),
  locked_until: nullable(dateTime),
});
const LeaveAnswer = Type.Object(
  {
    left: nullable(
      Type.Object({
        at: dateTime,
        keys: Type.Integer({ minimum: 0, description: "How many keys were revoked or transferred." }),
        transferred: Type.Boolean(),
        new_owner_id: nullable(id()),
        new_owner_name: nullable(Type.String()),
        undo_until: dateTime,
      }),
    ),
  },
  { title: "Leave" },
);
const ReturnAnswer = Type.Object(
  {
    keys: Type.Integer({ minimum: 0, description: "How many keys were given back." }),
    omitted: Type.Integer({
      minimum: 0,
      description: "How many were not, because somebody changed or deleted them meanwhile.",
    }),
  },
  { title: "Return" },
);
/** A user's sessions. */
export const SessionsAnswer = Type.Array(
  Type.Object({
    id: id(),
    created_at: dateTime,
    last_seen_at: dateTime,
    expires_at: dateTime,
    address: nullable(Type.String()),
    user_agent: nullable(Type.String()),
    current: Type.Boolean(),
  }),
);

/** An answer that is made of the value, unless there is a failure in its place. */
export const unlessFailed = <Value>(outcome: Outcome<Value>, answer: (value: Value) => Answer): Outcome<Answer> =>
  outcome instanceof Failure ? outcome : answer(outcome);

/** The link with an invitation's token. It leads to the portal at this address. */
export const invitationLink = (portal: string, token: string): string => `${portal}/portal/invitations/${token}`;

/** Routes that change how other users sign in. Only the portal has them, as their answers are meant for a person. */
export const accountRoutes = (
  accounts: Accounts,
  offboarding: OffboardingUsers & UndoOffboarding,
  publicUrl: string | null,
): Route[] => [
  route({
    operation: "user.invite",
    name: "inviteUser",
    method: "POST",
    path: "/api/users/:id/invitation",
    summary: "Invite a user to set a password",
    params: UserParams,
    answer: { status: 201, schema: InvitationAnswer, description: "The link, which is shown only in this answer" },
    errors: ["not_found", "exceeds_your_rights", "own_account"],
    async handle({ principal, params, url: requestUrl }) {
      const linkOf = (token: string) => invitationLink(publicUrl ?? new URL(requestUrl).origin, token);
      return unlessFailed(await accounts.invite(principal, params.id, linkOf), ({ url, expiresAt, sent }) => ({
        status: 201,
        body: { url, expires_at: expiresAt, sent },
      }));
    },
  }),
  route({
    operation: "user.account",
    name: "getUserSignIn",
    method: "GET",
    path: "/api/users/:id/account",
    summary: "Read how a user signs in",
    params: UserParams,
    answer: { status: 200, schema: StateAnswer, description: "The state of the account, without secrets" },
    errors: ["not_found"],
    answers: "record",
    of: ({ principal, params }) => accounts.state(principal, params.id),
  }),
  route({
    operation: "user.sessions",
    name: "listUserSessions",
    method: "GET",
    path: "/api/users/:id/sessions",
    summary: "List a user's sessions",
    params: UserParams,
    answer: { status: 200, schema: SessionsAnswer, description: "The sessions, the last used first" },
    errors: ["not_found"],
    answers: "record",
    of: ({ principal, params }) => accounts.sessions(principal, params.id),
  }),
  route({
    operation: "user.end-sessions",
    name: "endUserSessions",
    method: "DELETE",
    path: "/api/users/:id/sessions",
    summary: "Sign a user out everywhere",
    params: UserParams,
    answer: { status: 200, schema: DoneAnswer, description: "Signed out" },
    errors: ["not_found", "exceeds_your_rights", "own_account"],
    handle: async ({ principal, params }) =>
      unlessFailed(await accounts.endSessions(principal, params.id, "all"), (count) =>
        done(`${count} sessions of user ${params.id} ended`),
      ),
  }),
  route({
    operation: "user.end-sessions",
    name: "endUserSession",
    method: "DELETE",
    path: "/api/users/:id/sessions/:session_id",
    summary: "End one session of a user",
    params: SessionParams,
    answer: { status: 200, schema: DoneAnswer, description: "Ended" },
    errors: ["not_found", "exceeds_your_rights", "own_account"],
    answers: "done",
    of: ({ principal, params }) => accounts.endSessions(principal, params.id, { only: params.session_id }),
    says: ({ id: user, session_id }) => `Session ${session_id} of user ${user} ended`,
  }),
  route({
    operation: "user.reset-second-factor",
    name: "resetUserSecondFactor",
    method: "DELETE",
    path: "/api/users/:id/second-factor",
    summary: "Remove a user's second factor",
    params: UserParams,
    answer: { status: 200, schema: DoneAnswer, description: "Removed" },
    errors: ["not_found", "exceeds_your_rights", "own_account"],
    answers: "done",
    of: ({ principal, params }) => accounts.resetSecondFactor(principal, params.id),
    says: ({ id: user }) => `User ${user} has no second factor any more`,
  }),
  route({
    operation: "user.leave",
    name: "offboardUser",
    method: "POST",
    path: "/api/users/:id/leave",
    summary: "Deactivate a user and revoke or transfer their keys",
    params: UserParams,
    body: { name: "Offboarding", schema: OffboardingBody, readOnly: [], example: { keys: "revoke" } },
    answer: { status: 200, schema: DoneAnswer, description: "Done as a whole" },
    errors: ["not_found", "exceeds_your_rights", "quota_exceeded", "last_super_admin"],
    handle: async ({ principal, params, body }) =>
      unlessFailed(await offboarding.leave(principal, params.id, body), ({ keys, newOwner }) =>
        done(
          newOwner === null
            ? `User ${params.id} deactivated, ${keys.length} keys revoked`
            : `User ${params.id} deactivated, ${keys.length} keys transferred to user ${newOwner.id}`,
        ),
      ),
  }),
  route({
    operation: "user.left",
    name: "getUserLeave",
    method: "GET",
    path: "/api/users/:id/leave",
    summary: "Read how a user left, and where the keys went",
    params: UserParams,
    answer: { status: 200, schema: LeaveAnswer, description: "The last time; `null` if the user never left" },
    errors: ["not_found"],
    answers: "record",
    of: ({ principal, params }) => offboarding.read(principal, params.id),
  }),
  route({
    operation: "user.return",
    name: "undoOffboarding",
    method: "POST",
    path: "/api/users/:id/return",
    summary: "Give a user who left within the last day, and the keys, back",
    params: UserParams,
    answer: { status: 200, schema: ReturnAnswer, description: "Done as a whole" },
    errors: ["not_found", "exceeds_your_rights", "quota_exceeded"],
    handle: async ({ principal, params }) =>
      unlessFailed(await offboarding.undo(principal, params.id), ({ keys, omitted }) => ({
        status: 200,
        body: { keys: keys.length, omitted },
      })),
  }),
];
