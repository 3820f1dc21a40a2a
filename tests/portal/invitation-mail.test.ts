import { describe, expect, test } from "bun:test";
import { browserOn, invitationPath, makePerson, PASSWORD } from "../support/browser.ts";
import { ENGINES } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/ports.ts";
import { startService } from "../support/service.ts";

const [engine] = ENGINES;
if (engine === undefined) throw new Error("there is no engine");

/** A mail server that records every mail, or refuses every sender. */
const mailServer = (refuses = false) => {
  let received = "";
  let inMail = false;
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open: (socket) => void socket.write("220 mail.example.com\r\n"),
      data(socket, data) {
        const text = data.toString();
        received += text;
        if (inMail) {
          if (!text.endsWith("\r\n.\r\n")) return;
          inMail = false;
          socket.write("250 taken\r\n");
        } else if (/^DATA/i.test(text)) {
          inMail = true;
          socket.write("354 go on\r\n");
        } else if (/^QUIT/i.test(text)) socket.end("221 bye\r\n");
        else socket.write(refuses && /^MAIL/i.test(text) ? "550 not from you\r\n" : "250 ok\r\n");
      },
    },
  });
  return { port: server.port, received: () => received, stop: () => server.stop(true) };
};

const serviceWith = async (port: number) => {
  const service = await startService(engine, {
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    SMTP_FROM: "Inventory <inventory@example.com>",
    PUBLIC_URL: "http://127.0.0.1:1",
  });
  const admin = browserOn(service.url);
  const send: typeof admin.send = (method, path, sent) =>
    admin.send(method, path, { ...sent, headers: { origin: "http://127.0.0.1:1" } });
  const body = { name: "Sam", email: "sam@example.com", password: PASSWORD };
  expect((await send("POST", invitationPath(service.setUpLink ?? ""), { body })).status).toBe(200);
  return { service, admin: { ...admin, send } };
};

describe("an invitation", () => {
  test("is mailed to the invited user, from the configured address, with the shown link", async () => {
    const mail = mailServer();
    const { service, admin } = await serviceWith(mail.port);
    try {
      const { id, email } = await makePerson(admin);
      const invited = await admin.send<{ url: string; sent: boolean }>("POST", `/portal/api/users/${id}/invitation`);
      expect(invited.body.sent).toBe(true);
      expect(invited.body.url).toStartWith("http://127.0.0.1:1/portal/invitations/");
      const received = await eventually(
        async () => mail.received(),
        (text) => text.includes("\r\n.\r\n"),
      );
      expect(received).toContain("MAIL FROM:<inventory@example.com>");
      expect(received).toContain(`RCPT TO:<${email}>`);
      expect(received.replaceAll("=\r\n", "")).toContain(invited.body.url);
    } finally {
      await service.close();
      mail.stop();
    }
  });

  for (const [what, open] of [
    ["refuses it", () => mailServer(true)],
    ["is not there", () => ({ port: freePort(), stop: () => {} })],
  ] as const)
    test(`is created even if the mail server ${what}: the log says so, without the link`, async () => {
      const mail = open();
      const { service, admin } = await serviceWith(mail.port);
      try {
        const { id } = await makePerson(admin);
        const invited = await admin.send<{ url: string }>("POST", `/portal/api/users/${id}/invitation`);
        expect(invited.status).toBe(201);
        const log = await eventually(
          async () => service.log(),
          (text) => text.includes("an invitation was not sent"),
        );
        expect(log).toContain(`"user_id":${id}`);
        expect(log).not.toContain(invited.body.url.split("/").at(-1) ?? "");
      } finally {
        await service.close();
        mail.stop();
      }
    });
});
