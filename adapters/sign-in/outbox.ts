/** The most connections to the mail server at once. */
const MOST_CONNECTIONS = 2;
/** The most mails that wait; each takes about a kilobyte. */
const MOST_WAITING = 1000;

interface Mail {
  readonly from: string;
  readonly to: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text: string;
}

/** The address of the mail server for a library that keeps connections for the mails that wait. */
const pooled = (smtpUrl: string): string => {
  const url = new URL(smtpUrl);
  url.searchParams.set("pool", "true");
  url.searchParams.set("maxConnections", String(MOST_CONNECTIONS));
  return url.href;
};

/**
 * Sends mails one after another over few connections, which close when none waits. It rejects if a mail was not sent, also
 * because too many wait already. The library is loaded with the first mail.
 */
export const smtpOutbox = (smtpUrl: string, mostWaiting = MOST_WAITING): ((mail: Mail) => Promise<void>) => {
  const open = async () => (await import("nodemailer")).createTransport(pooled(smtpUrl));
  let transport: ReturnType<typeof open> | null = null;
  let waiting = 0;
  return async (mail) => {
    if (waiting >= mostWaiting) throw new Error(`${waiting} mails wait for the mail server already`);
    waiting++;
    try {
      transport ??= open();
      await (await transport).sendMail(mail);
    } finally {
      const last = transport;
      if (--waiting === 0) {
        transport = null;
        (await last)?.close();
      }
    }
  };
};
