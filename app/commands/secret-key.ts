import type { Command } from "commander";
import { forgetSecretKey } from "../../adapters/sql/sign-in/forgotten-key.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { OPERATOR } from "../../core/access/principal.ts";
import { withDatabase } from "./database.ts";
import { group } from "./options.ts";
import { print } from "./output.ts";

const forget = (): Promise<void> =>
  withDatabase("existing", async (db) => {
    const users = await forgetSecretKey(db, systemClock.now(), OPERATOR);
    print(
      `Forgot the secret key: ${users} users sign in with the password alone until they set up a second factor anew.`,
    );
  });

/** Adds the command `secret-key forget`, for operators who have lost the key. */
export const addSecretKey = (program: Command): void => {
  group(program, "secret-key", "recover from the loss of the secret key")
    .command("forget")
    .description("remove all second factors, which cannot be used without the lost key; the next start uses a new key")
    .action(forget);
};
