import { expect, test } from "bun:test";
import { copyDatabase } from "../../adapters/sql/schema/copy.ts";
import { browserOn, firstAdmin, inviteAndSignIn, makePerson, PASSWORD, signIn } from "../support/browser.ts";
import { connect, ENGINES } from "../support/engines.ts";
import { startService } from "../support/service.ts";
import { totpOf } from "../support/totp.ts";

const SECOND_FACTOR_PATH = "/portal/api/second-factor";

for (const [index, engine] of ENGINES.entries()) {
  const target = ENGINES[1 - index];
  if (target === undefined) throw new Error("there is no other engine");
  test(`a copy from ${engine.name} to ${target.name} keeps users' sessions, second factors and invitations`, async () => {
    const source = await startService(engine);
    const admin = await firstAdmin(source);
    const { id, email } = await makePerson(admin);
    const own = await inviteAndSignIn(source.url, admin, id);
    const { secret } = (
      await own.send<{ secret: string }>("POST", SECOND_FACTOR_PATH, { body: { password: PASSWORD } })
    ).body;
    expect(
      (await own.send("POST", `${SECOND_FACTOR_PATH}/confirm`, { body: { code: totpOf(source.clock, secret) } }))
        .status,
    ).toBe(200);
    const open = await makePerson(admin);
    const invited = await admin.send<{ url: string }>("POST", `/portal/api/users/${open.id}/invitation`);
    await source.close();

    const from = connect(source.databaseUrl);
    const databaseUrl = await target.migratedUrl();
    const to = await target.open(databaseUrl);
    await copyDatabase(from, to, () => {});
    await Promise.all([from.close(), to.close()]);

    const copied = await startService(target, { DATABASE_URL: databaseUrl, BOOTSTRAP_API_KEY: source.bootstrapKey });
    try {
      expect(copied.setUpLink).toBeNull();
      const there = browserOn(copied.url);
      for (const [name, value] of own.cookies) there.cookies.set(name, value);
      expect((await there.send("GET", "/portal/api/session")).body).toMatchObject({
        user: { id, email },
        second_factor: true,
      });
      const again = browserOn(copied.url);
      expect((await signIn(again, email)).body).toEqual({ second_factor: true });
      const proof = { code: totpOf(copied.clock, secret, 1) };
      expect((await again.send("POST", "/portal/api/sign-in/second-factor", { body: proof })).status).toBe(200);
      const path = `/portal/api/invitations/${invited.body.url.split("/").at(-1)}`;
      expect((await browserOn(copied.url).send("POST", path, { body: { password: PASSWORD } })).status).toBe(200);
    } finally {
      await copied.close();
    }
  });
}
