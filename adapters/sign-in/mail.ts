import type { Clock } from "../../core/clock.ts";
import type { KeyNotice, NoticeReceiver } from "../../core/keys/life.ts";
import type { Mailer } from "../../core/sign-in/accounts.ts";
import type { ReportedWebhook } from "../../core/webhooks/webhook-repository.ts";
import { dailyShares } from "./daily-shares.ts";
import { smtpOutbox } from "./outbox.ts";

/** The mail server and the sender of the mails. */
export interface MailParts {
  readonly smtpUrl: string;
  readonly from: string;
  /** Called with the reason if a mail was not sent, and what it was. It never gets a link. */
  readonly failed: (error: unknown, userId: number | null, what: string) => void;
  readonly clock: Pick<Clock, "nowMs">;
}

const MAX_NAME = 100;
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]+/gu;
/** Line breaks and other white space between words. */
const BREAKS = /[\s\u0085]+/gu;
/**
 * Characters that mail programs turn into links: those of web and mail addresses, and hosts, also with the full stops
 * of other scripts.
 */
const LINK_CHARACTERS = /[:/\\@<>]|[\p{L}\p{N}][.。．｡](?:\p{L}{2}|\p{N})/u;

/**
 * A user's name for a mail, on one line and without invisible characters. `null` if a mail program could turn the name
 * into a link: those who create users choose their names, and must not be able to put links into the service's mails.
 */
export const nameInMail = (name: string): string | null => {
  const shown = name.slice(0, MAX_NAME).replace(BREAKS, " ").replace(INVISIBLE, "").trim();
  return shown === "" || LINK_CHARACTERS.test(shown) ? null : shown;
};

const MAX_ADDRESS = 254;
const PLAIN_ADDRESS = /^[^\s\p{C}"(),:;<>@[\\\]]+@[^\s\p{C}"(),:;<>@[\\\]]+$/u;

/** The receiver of a mail. Throws if a mail server could read the address as another one, or as several. */
const receiver = ({ name, email }: { readonly name: string; readonly email: string }) => {
  if (email.length > MAX_ADDRESS || !PLAIN_ADDRESS.test(email))
    throw new Error("the user's e-mail address is not one that mail can be sent to");
  const shown = nameInMail(name);
  return { to: { name: shown ?? "", address: email }, greeting: shown === null ? "Hello," : `Hello ${shown},` };
};

/** The mail with an invitation. Throws if a mail server could read the address as another one, or as several. */
export const invitationMail = (
  user: { readonly name: string; readonly email: string },
  url: string,
  expiresAt: string,
) => {
  const { to, greeting } = receiver(user);
  return {
    to,
    subject: "Your invitation to the Vehicle Inventory portal",
    text: [
      greeting,
      "",
      "this link lets you set your password for the Vehicle Inventory portal and signs you in:",
      "",
      url,
      "",
      `It works once, until ${expiresAt}. If you did not expect it, ignore this mail: nothing changes without it.`,
      "",
    ].join("\n"),
  };
};

type Mail = ReturnType<typeof invitationMail>;

/** What a mail says of the user's key. */
const OF_KEY: Readonly<
  Record<KeyNotice["kind"], { readonly subject: string; readonly text: (end: string) => string }>
> = {
  expiring: {
    subject: "An API key of yours expires",
    text: (end) => `expires at ${end}. It does not work after that.`,
  },
  idle: {
    subject: "An API key of yours is not used",
    text: (end) => `is not used. It is switched off on ${end} unless it is used or changed before.`,
  },
  "switched-off": {
    subject: "An API key of yours was switched off",
    text: () => "was switched off, because it was not used. You can activate it again in the portal.",
  },
};

/** The mail with a notice of a key. Throws like that of an invitation. */
export const keyMail = (person: NoticeReceiver, { keyId, name, kind, endsAt }: KeyNotice) => {
  const { to, greeting } = receiver(person);
  const shown = nameInMail(name);
  const { subject, text } = OF_KEY[kind];
  const key = shown === null ? `the API key ${keyId}` : `the API key "${shown}" (${keyId})`;
  return { to, subject, text: [greeting, "", `${key} ${text(endsAt)}`, ""].join("\n") };
};

/** The mail about a webhook that needs somebody. Throws like that of an invitation. */
export const webhookMail = (
  person: NoticeReceiver,
  { id, description, problem }: Pick<ReportedWebhook, "id" | "description" | "problem">,
) => {
  const { to, greeting } = receiver(person);
  const shown = description === null ? null : nameInMail(description);
  const webhook = shown === null ? `the webhook ${id}` : `the webhook "${shown}" (${id})`;
  return {
    to,
    subject: "A webhook of yours needs attention",
    text: [
      greeting,
      "",
      `${webhook} needs attention: ${problem}. The portal shows its messages and their answers.`,
      "",
    ].join("\n"),
  };
};

/** The most notices a day to addresses that somebody else wrote down. */
const TO_ADDRESSES = { toAddress: 10, ofDealer: 300 } as const;
/** The most notices a day to users, who see all of them in the portal. */
const TO_USERS = { toAddress: 20, ofDealer: 1000 } as const;

/** Mails what people are told of their keys and webhooks. */
interface NoticeMailer {
  tellOfKey(notice: KeyNotice): void;
  tellOfWebhook(webhook: ReportedWebhook): void;
}

/**
 * Sends invitations and notices by SMTP in the background. Invitations, for which people wait, do not stand behind
 * notices.
 */
export const smtpMailer = ({ smtpUrl, from, failed, clock }: MailParts): Mailer & NoticeMailer => {
  const mayGet = { address: dailyShares(clock, TO_ADDRESSES), user: dailyShares(clock, TO_USERS) };
  const outboxes = { invitations: smtpOutbox(smtpUrl), notices: smtpOutbox(smtpUrl) };
  const send = async (outbox: keyof typeof outboxes, mail: () => Mail): Promise<void> =>
    outboxes[outbox]({ from, ...mail() });
  const tell = (
    { receiver: person, dealerId }: Pick<KeyNotice, "receiver" | "dealerId">,
    mail: (person: NoticeReceiver) => Mail,
    what: string,
  ): void => {
    if (person === null || !mayGet[person.userId === null ? "address" : "user"](person.email, dealerId)) return;
    void send("notices", () => mail(person)).catch((error) => failed(error, person.userId, what));
  };
  return {
    invite: (user, url, expiresAt) =>
      void send("invitations", () => invitationMail(user, url, expiresAt)).catch((error) =>
        failed(error, user.id, "an invitation"),
      ),
    tellOfKey: (notice) => tell(notice, (person) => keyMail(person, notice), "a notice of a key"),
    tellOfWebhook: (webhook) => tell(webhook, (person) => webhookMail(person, webhook), "a notice of a webhook"),
  };
};
