import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { dailyShares } from "../../../adapters/sign-in/daily-shares.ts";
import { invitationMail, keyMail, nameInMail, webhookMail } from "../../../adapters/sign-in/mail.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { fakeClock } from "../../support/clock.ts";

const URL_OF_INVITATION = "https://inventory.example.com/portal/invitations/token";
const UNTIL = "2026-11-20T09:11:00.000Z";

const mailTo = (name: string, email = "robin@example.com") => invitationMail({ name, email }, URL_OF_INVITATION, UNTIL);

describe("a mail about a key", () => {
  const user = { userId: 3, name: "Robin Example", email: "robin@example.com" };
  const notice = {
    keyId: 7,
    name: "Harbor website",
    dealerId: null,
    kind: "idle",
    endsAt: UNTIL,
    receiver: user,
  } as const;

  test("goes to its user, and says which key it is and when it ends", () => {
    const { to, text } = keyMail(user, notice);
    expect(to).toEqual({ name: user.name, address: user.email });
    expect(text).toBe(
      `Hello Robin Example,\n\nthe API key "Harbor website" (7) is not used. It is switched off on ${UNTIL} unless it is used or changed before.\n`,
    );
  });

  test("leaves out a name that a mail program could turn into a link", () => {
    const { text } = keyMail(user, { ...notice, name: "see evil.example.com", kind: "switched-off" });
    expect(text).toStartWith("Hello Robin Example,\n\nthe API key 7 was switched off");
    expect(text).not.toContain("evil");
  });
});

describe("a mail about a webhook", () => {
  const problem = "no message arrived for a day";
  const owner = { userId: null, name: "", email: "owner@harbor.example.com" };

  test("goes to its maker or the owner of its maker's key, and says what is wrong", () => {
    const { to, text } = webhookMail(owner, { id: 5, description: "Search index", problem });
    expect(to).toEqual({ name: "", address: owner.email });
    expect(text).toStartWith(`Hello,\n\nthe webhook "Search index" (5) needs attention: ${problem}.`);
  });

  test("leaves out a description that a mail program could turn into a link", () => {
    for (const description of ["https://evil.example.com", "go to evil.example.com", null])
      expect(webhookMail(owner, { id: 5, description, problem }).text).toContain("the webhook 5 needs attention");
  });
});

test("an address gets so many mails a day and no more, however it is written", () => {
  const clock = fakeClock();
  const mayGet = dailyShares(clock, { toAddress: 2, ofDealer: 9 });
  const asked = ["A@example.com", "a@EXAMPLE.com", "a@example.com", "b@example.com"].map((to) => mayGet(to, null));
  expect(asked).toEqual([true, true, false, true]);
  clock.advance(86_400_000);
  expect(mayGet("a@example.com", null)).toBe(true);
});

test("a dealer has so many mails a day sent to addresses of its choice and no more, and takes none from others", () => {
  const clock = fakeClock();
  const mayGet = dailyShares(clock, { toAddress: 9, ofDealer: 2 });
  const asked = [1, 2, 3].map((person) => mayGet(`stranger${person}@example.com`, 7));
  expect([asked, mayGet("owner@example.com", 8), mayGet("owner@example.com", null)]).toEqual([
    [true, true, false],
    true,
    true,
  ]);
  clock.advance(86_400_000);
  expect(mayGet("stranger3@example.com", 7)).toBe(true);
});

describe("a name in a mail", () => {
  for (const name of ["Robin Example", "Zoë O'Neill-Żak", "J.R.R. Tolkien", "山田 太郎", "Robin Example, Jr."])
    test(`is unchanged if it is only a name: ${name}`, () => {
      expect(nameInMail(name)).toBe(name);
      expect(mailTo(name).text).toStartWith(`Hello ${name},\n`);
      expect(mailTo(name).to).toEqual({ name, address: "robin@example.com" });
    });

  for (const [name, shown] of [
    ["Robin\nExample", "Robin Example"],
    ["Robin\r\n\r\nYour account is closed", "Robin Your account is closed"],
    ["Robin\u2028Example\u0000", "Robin Example"],
    ["Rob\u202ein", "Robin"],
  ] as const)
    test(`has no line breaks and no invisible characters: ${JSON.stringify(name)}`, () => {
      expect(nameInMail(name)).toBe(shown);
    });

  for (const name of [
    "visit http://evil.example.com",
    "evil.example.com",
    "see EVIL.EXAMPLE now",
    "evil\u200b.example.com",
    "evil。example",
    "www.evil",
    "//evil",
    "203.0.113.9",
    "mailto:sam@example.com",
    "Sam <sam@example.com>",
    "Robin\r\nBcc: sam@example.com",
    "\u202e\n",
  ])
    test(`is left out if a mail program could turn it into a link: ${JSON.stringify(name)}`, () => {
      expect(nameInMail(name)).toBeNull();
      const mail = mailTo(name);
      expect(mail.to).toEqual({ name: "", address: "robin@example.com" });
      expect(mail.text).toStartWith("Hello,\n");
      expect(JSON.stringify(mail)).not.toMatch(/evil|sam@|203\.0/i);
    });

  test("never adds a line, link or address to the mail", () => {
    const parts = fc.constantFrom(
      "a",
      "é",
      ".",
      ":",
      "/",
      "@",
      "<",
      "\r",
      "\n",
      "\t",
      " ",
      "\u2028",
      "\u202e",
      "。",
      "com",
      "http",
      "1",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: anyCharacter }),
          fc.array(parts, { maxLength: 150, size: "max" }).map((all) => all.join("")),
        ),
        (name) => {
          const { subject, text, to } = mailTo(name);
          expect(subject).toBe(mailTo("Robin").subject);
          const lines = text.split(/[\r\n\u0085\u2028\u2029]/);
          expect(lines).toHaveLength(mailTo("Robin").text.split("\n").length);
          expect(`${lines[0]}${to.name}`).not.toMatch(/[\p{Cc}\p{Cf}:/\\@<>]|[\p{L}\p{N}][.。．｡]\p{L}{2}/u);
        },
      ),
    );
  });
});

describe("an address that a mail server could read as several or as a command", () => {
  for (const email of [
    "a,b@example.com",
    "a@b@example.com",
    "a>b@example.com",
    "a@example.com\r\nRCPT TO:<b@example.com>",
    '"a@b"@example.com',
    "a;b@example.com",
  ])
    test(`gets no mail: ${JSON.stringify(email)}`, () => {
      expect(() => mailTo("Robin", email)).toThrow("address");
    });
});
