import type { Mailer } from "../../core/users/accounts.ts";

/** The mail server, and whose name stands on the mail. */
export interface MailParts {
  readonly smtpUrl: string;
  readonly from: string;
  /** Hears why an invitation was not sent; never the link that it carries. */
  readonly failed: (error: unknown, userId: number) => void;
}

const MAX_NAME = 100;
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]+/gu;
/** Breaks of lines and their like; what stands between words must not join them. */
const BREAKS = /[\s\u0085]+/gu;
/** What mail programs make links of: addresses of pages and mail, hosts, also with the full stops of other scripts. */
const LINKING = /[:/\\@<>]|[\p{L}\p{N}][.。．｡](?:\p{L}{2}|\p{N})/u;

/**
 * A user's name as it may stand in a mail: in one line, with nothing unseen. `null` for one of which a mail program
 * could make a link: whoever may make users chooses their names, and must not write mails in the service's name.
 */
export const nameInMail = (name: string): string | null => {
  const shown = name.slice(0, MAX_NAME).replace(BREAKS, " ").replace(UNSEEN, "").trim();
  return shown === "" || LINKING.test(shown) ? null : shown;
};

const MAX_ADDRESS = 254;
const PLAIN_ADDRESS = /^[^\s\p{C}"(),:;<>@[\\\]]+@[^\s\p{C}"(),:;<>@[\\\]]+$/u;

/** The mail that brings an invitation. Throws for an address that a mail server could read as another, or as several. */
export const invitationMail = (
  { name, email }: { readonly name: string; readonly email: string },
  url: string,
  expiresAt: string,
) => {
  if (email.length > MAX_ADDRESS || !PLAIN_ADDRESS.test(email))
    throw new Error("the user's e-mail address is not one that mail can be sent to");
  const shown = nameInMail(name);
  return {
    to: { name: shown ?? "", address: email },
    subject: "Your invitation to the Vehicle Inventory portal",
    text: [
      shown === null ? "Hello," : `Hello ${shown},`,
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

/** Sends invitations by SMTP, in the background; its library is loaded with the first. */
export const smtpMailer = ({ smtpUrl, from, failed }: MailParts): Mailer => {
  const send = async (mail: () => ReturnType<typeof invitationMail>): Promise<void> => {
    const { createTransport } = await import("nodemailer");
    const transport = createTransport(smtpUrl);
    try {
      await transport.sendMail({ from, ...mail() });
    } finally {
      transport.close();
    }
  };
  return {
    invite: (user, url, expiresAt) =>
      void send(() => invitationMail(user, url, expiresAt)).catch((error) => failed(error, user.id)),
  };
};
