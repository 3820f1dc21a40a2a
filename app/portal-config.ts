import { ConfigError, type Environment } from "./config-error.ts";

/** The mail server, and the sender of mails. */
export interface Smtp {
  readonly smtpUrl: string;
  readonly from: string;
}

const isSmtpUrl = (text: string): boolean =>
  /^smtps?:\/\/\S+$/.test(text) && URL.canParse(text) && new URL(text).hostname !== "";
const isSender = (text: string): boolean => /^(?:[^<>\r\n]+<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/.test(text);

/** The address that browsers use. Commands that print links need only this. */
export const publicUrlOf = (environment: Environment): string | null => {
  const text = environment.PUBLIC_URL;
  if (text === undefined) return null;
  if (!/^https?:\/\/[^\s/?#@]+\/?$/i.test(text) || !URL.canParse(text))
    throw new ConfigError(
      "PUBLIC_URL",
      "must be the http or https address of the service, without a path",
      "https://inventory.example.com",
    );
  return new URL(text).origin;
};

/** How invitations are sent. They contain links, so the public address of the service must be configured, too. */
export const smtpOf = (environment: Environment): Smtp | null => {
  const { SMTP_URL: smtpUrl, SMTP_FROM: from } = environment;
  if (smtpUrl !== undefined && !isSmtpUrl(smtpUrl))
    throw new ConfigError(
      "SMTP_URL",
      "must be an smtp:// or smtps:// address",
      "smtps://<user>:<password>@mail.example.com",
    );
  if (from !== undefined && !isSender(from))
    throw new ConfigError("SMTP_FROM", "must be an email address", "inventory@example.com");
  if (smtpUrl === undefined) return null;
  if (from === undefined) throw new ConfigError("SMTP_FROM", "is required with SMTP_URL", "inventory@example.com");
  if (publicUrlOf(environment) === null)
    throw new ConfigError("PUBLIC_URL", "is required with SMTP_URL", "https://inventory.example.com");
  return { smtpUrl, from };
};
