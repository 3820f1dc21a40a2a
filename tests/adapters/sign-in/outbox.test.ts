import { expect, test } from "bun:test";
import type { AddressInfo } from "node:net";
import { createServer, type Server, type Socket } from "node:net";
import { smtpMailer } from "../../../adapters/sign-in/mail.ts";
import { smtpOutbox } from "../../../adapters/sign-in/outbox.ts";
import { fakeClock } from "../../support/clock.ts";
import { eventually } from "../../support/eventually.ts";

/** A mail server that takes every mail, or answers the greeting only when it is told to. */
const startMailServer = async ({ isSilent = false } = {}) => {
  const texts: string[] = [];
  const sockets = new Set<Socket>();
  let most = 0;
  let connections = 0;
  const say = (socket: Socket, line: string): void => void socket.write(`${line}\r\n`);
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    connections++;
    most = Math.max(most, sockets.size);
    socket.on("close", () => sockets.delete(socket)).on("error", () => {});
    let text: string | null = null;
    let rest = "";
    socket.on("data", (piece) => {
      const lines = (rest + piece).split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines)
        if (text !== null && line === ".") {
          texts.push(text);
          text = null;
          say(socket, "250 taken");
        } else if (text !== null) text += `${line}\n`;
        else if (line === "DATA") {
          text = "";
          say(socket, "354 go on");
        } else if (line === "QUIT") socket.end("221 bye\r\n");
        else say(socket, "250 ok");
    });
    if (!isSilent) say(socket, "220 mail.example.com");
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}?ignoreTLS=true`,
    texts,
    sockets,
    seen: () => ({ most, connections }),
    greet() {
      isSilent = false;
      for (const socket of sockets) say(socket, "220 mail.example.com");
    },
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
};

const mailTo = (name: string) => ({
  from: "inventory@example.com",
  to: { name: "", address: `${name}@example.com` },
  subject: "A notice",
  text: `for ${name}\n`,
});

test("many mails at once go over two connections, which close when none waits", async () => {
  using server = await startMailServer();
  const send = smtpOutbox(server.url);
  const names = Array.from({ length: 20 }, (_, number) => `robin-${number}`);
  await Promise.all(names.map((name) => send(mailTo(name))));
  expect([server.texts.length, server.seen()]).toEqual([20, { most: 2, connections: 2 }]);
  await eventually(
    () => server.sockets.size,
    (open) => open === 0,
  );
  await send(mailTo("later"));
  expect([server.texts.at(-1)?.includes("for later"), server.seen().connections]).toEqual([true, 3]);
});

test("a mail server that does not answer holds so many mails and no more; those that wait are sent once it does", async () => {
  using server = await startMailServer({ isSilent: true });
  const send = smtpOutbox(server.url, 5);
  const waiting = Array.from({ length: 5 }, (_, number) => send(mailTo(`robin-${number}`)));
  await expect(send(mailTo("one-more"))).rejects.toThrow("5 mails wait");
  await eventually(
    () => server.sockets.size,
    (open) => open === 2,
  );
  server.greet();
  await Promise.all(waiting);
  expect(server.texts.length).toBe(5);
});

test("a user gets twenty notices a day and no more, and invitations beside them", async () => {
  using server = await startMailServer();
  const failures: unknown[] = [];
  const clock = fakeClock();
  const mailer = smtpMailer({
    smtpUrl: server.url,
    from: "inventory@example.com",
    failed: (error) => failures.push(error),
    clock,
  });
  const receiver = { userId: 3, name: "Robin", email: "robin@example.com" };
  const tell = (): void => {
    for (let keyId = 1; keyId <= 25; keyId++)
      mailer.tellOfKey({ keyId, name: "Site", dealerId: 1, kind: "expiring", endsAt: clock.now(), receiver });
  };
  const arrive = (count: number) =>
    eventually(
      () => server.texts.length,
      (arrived) => arrived === count,
    );
  tell();
  mailer.invite({ id: 3, ...receiver }, "https://inventory.example.com/portal/invitations/token", clock.now());
  await arrive(21);
  clock.advance(86_400_000);
  tell();
  await arrive(41);
  expect([failures, server.texts.filter((text) => text.includes("Your invitation")).length]).toEqual([[], 1]);
});
