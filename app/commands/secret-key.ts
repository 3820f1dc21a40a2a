import type { Command } from "commander";
import { forgetSecretKey } from "../../adapters/sql/forgotten-key.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { OPERATOR } from "../../core/access/principal.ts";
import { withDatabase } from "./database.ts";
import { print } from "./output.ts";

const forget = (): Promise<void> =>
  withDatabase("existing", async (db) => {
    const users = await forgetSecretKey(db, systemClock.now(), OPERATOR);
    print(
      `Forgot the secret key: ${users} users sign in with the password alone until they set up a second factor anew.`,
    );
  });

/** Adds `secret-key forget`, for whoever has lost the key. */
export const addSecretKey = (program: Command): void => {
  const secretKey = program.command("secret-key").description("what to do when the secret key is lost");
  secretKey
    .command("forget")
    .description("take away every second factor, which only the lost key would open; the next start takes a new key")
    .action(forget);
};
