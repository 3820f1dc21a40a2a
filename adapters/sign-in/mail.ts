import type { Mailer } from "../../core/users/accounts.ts";

/** The mail server, and whose name stands on the mail. */
export interface MailParts {
  readonly smtpUrl: string;
  readonly from: string;
  /** Hears why an invitation was not sent; never the link that it carries. */
  readonly failed: (error: unknown, userId: number) => void;
}

const textOf = (name: string, url: string, expiresAt: string): string =>
  [
    `Hello ${name},`,
    "",
    "this link lets you set your password for the Vehicle Inventory portal and signs you in:",
    "",
    url,
    "",
    `It works once, until ${expiresAt}. If you did not expect it, ignore this mail: nothing changes without it.`,
    "",
  ].join("\n");

/** Sends invitations by SMTP, in the background; its library is loaded with the first. */
export const smtpMailer = ({ smtpUrl, from, failed }: MailParts): Mailer => {
  const send = async (name: string, to: string, url: string, expiresAt: string): Promise<void> => {
    const { createTransport } = await import("nodemailer");
    const transport = createTransport(smtpUrl);
    try {
      const subject = "Your invitation to the Vehicle Inventory portal";
      await transport.sendMail({ from, to: { name, address: to }, subject, text: textOf(name, url, expiresAt) });
    } finally {
      transport.close();
    }
  };
  return {
    invite: (user, url, expiresAt) =>
      void send(user.name, user.email, url, expiresAt).catch((error) => failed(error, user.id)),
  };
};
