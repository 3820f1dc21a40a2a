import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserOn, FIRST, invitationPath, PASSWORD } from "../support/browser.ts";
import { rowsOf, TEST_TIMEOUT_MS, testCommands } from "../support/program.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const URL_OPTION = ["--url", "https://inventory.example.com"];
const ROBIN = ["--name", "Robin", "--email", "robin@example.com", "--role", "user"];
const LINK = /^https:\/\/inventory\.example\.com\/portal\/invitations\/[A-Za-z0-9_-]{43}\n$/;

describe("users invite", () => {
  test("prints only the link to standard output, for a new user and for an existing one", async () => {
    const program = testCommands();
    const made = await program.run("users", "invite", ...ROBIN, ...URL_OPTION);
    expect(made).toEqual({
      code: 0,
      out: expect.stringMatching(LINK),
      err: expect.stringMatching(/^Invited user 1 \(Robin\), user\. The link works once, until 20\S+:\n$/),
    });
    const again = await program.runWith(
      { PUBLIC_URL: "https://inventory.example.com/" },
      "users",
      "invite",
      "--id",
      "1",
    );
    expect(again.out).toMatch(LINK);
    expect(again.out).not.toBe(made.out);
    const rows = rowsOf(program.database, "SELECT user_id, token_hash FROM invitations");
    expect(rows).toEqual([
      { user_id: 1, token_hash: Bun.SHA256.hash(again.out.trim().split("/").at(-1) ?? "", "hex") },
    ]);
  });

  test("prints a link that works in a service without a first super-admin, which then prints none at its start", async () => {
    const program = testCommands();
    const { out } = await program.run("users", "invite", ...ROBIN, ...URL_OPTION);
    const service = await program.serve();
    const one = browserOn(service.url);
    expect((await one.send("POST", invitationPath(out.trim()), { body: { password: PASSWORD } })).status).toBe(200);
    expect((await one.send("GET", "/portal/api/session")).body.user).toMatchObject({ name: "Robin" });
    expect((await service.stop()).err).not.toContain("/portal/invitations/");
  });

  test("prints the user, the link and its end as JSON", async () => {
    const { code, out, err } = await testCommands().run("users", "invite", ...ROBIN, ...URL_OPTION, "--json");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const { user, url, expires_at: end, ...more } = JSON.parse(out);
    expect(user).toMatchObject({ id: 1, email: "robin@example.com", invited: true });
    expect([`${url}\n`, end, more]).toEqual([expect.stringMatching(LINK), expect.stringMatching(/^20.*Z$/), {}]);
  });

  test("refuses an inactive user", async () => {
    const program = testCommands();
    await program.run("users", "create", ...ROBIN);
    await program.run("users", "deactivate", "1");
    const refused = await program.run("users", "invite", "--id", "1", ...URL_OPTION);
    expect(refused).toEqual({ code: 1, out: "", err: "vehicle-inventory: the user is not active\n" });
  });
});

const linkIn = (text: string): string | undefined => /http:\S+\/portal\/invitations\/\S{43}/.exec(text)?.[0];

describe("the start of the service", () => {
  test("prints a link for the first super-admin beside the first key, and a new one at each start until one is used", async () => {
    const program = testCommands();
    const first = await (await program.serve()).stop();
    expect(first.err).toContain("Your first API key");
    expect(linkIn(first.err)).toStartWith("http://127.0.0.1:");
    // With an operator's own key nothing is framed, and the link is printed among the other lines.
    const service = await program.serve({
      BOOTSTRAP_API_KEY: "bootstrap-key-of-an-invited-user-7",
      LOG_LEVEL: "trace",
    });
    const rows = rowsOf(program.database, "SELECT kind FROM invitations");
    expect(rows.every(({ kind }) => kind === "first")).toBe(true);
    const early = invitationPath(linkIn(first.err) ?? "");
    // Another start within a minute counts as simultaneous, so the earlier link still works.
    expect((await browserOn(service.url).send("GET", early)).status).toBe(200);
    const body = { ...FIRST, password: PASSWORD };
    expect((await browserOn(service.url).send("POST", early, { body })).status).toBe(200);
    const second = await service.stop();
    expect(second.err).not.toMatch(/Your first API key|={10}/);
    const link = linkIn(second.err) ?? "";
    expect([link === "", link === linkIn(first.err), second.out.includes(link)]).toEqual([false, false, false]);
    expect(linkIn((await (await program.serve()).stop()).err)).toBeUndefined();
  });
});
