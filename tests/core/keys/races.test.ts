import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeKeyRepository } from "../../../adapters/sql/keys/repository.ts";
import { makeUserRepository } from "../../../adapters/sql/users/repository.ts";
import { secrets } from "../../../adapters/system/secrets.ts";
import type { Principal } from "../../../core/access/principal.ts";
import { type Keys, makeKeys } from "../../../core/keys/keys.ts";
import { makeUsers } from "../../../core/users/users.ts";
import { allBut, dealerKey, superAdminKey } from "../callers.ts";
import {
  causeOf,
  newDealerBody,
  newKeyBody,
  newUserBody,
  openUseCases,
  succeeded,
  type UseCases,
} from "../use-cases.ts";

let core: UseCases;
let dealerId: number;
beforeAll(async () => {
  core = await openUseCases();
  dealerId = succeeded(await core.dealers.create(admin, newDealerBody())).id;
});
afterAll(() => core.db.close());

const admin = superAdminKey();
const READ_AUDIT = { resource: "audit", action: "read" } as const;
const caller = (): Principal => dealerKey(dealerId, { permissions: allBut("audit:read") });

/** Key use cases in which `between` runs once after the request has begun, just before the key is locked. */
const interrupted = (between: () => unknown): Keys => {
  const keys = makeKeyRepository(core.db, () => {});
  let pending = true;
  return makeKeys({
    keys: {
      ...keys,
      async change(context, decide) {
        if (pending) {
          pending = false;
          await between();
        }
        return keys.change(context, decide);
      },
    },
    users: makeUserRepository(core.db, () => {}),
    dealers: core.repositories.dealers,
    secrets,
    clock: core.clock,
  });
};

const CHANGES: Readonly<Record<string, (keys: Keys, by: Principal, id: number) => unknown>> = {
  change: (keys, by, id) => keys.update(by, id, { name: "Mine" }),
  revocation: (keys, by, id) => keys.revoke(by, id),
  rotation: (keys, by, id) => keys.rotate(by, id, {}),
  deletion: (keys, by, id) => keys.remove(by, id),
};

describe("a race to change one key", () => {
  for (const [name, change] of Object.entries(CHANGES)) {
    test(`refuses the ${name} if the key can do more than the caller by then`, async () => {
      const { record } = succeeded(await core.keys.create(admin, newKeyBody({ dealer_id: dealerId })));
      const keys = interrupted(() => core.keys.grant(admin, record.id, READ_AUDIT));
      expect(causeOf(await change(keys, caller(), record.id))?.kind).toBe("escalation");
      expect(succeeded(await core.keys.get(admin, record.id))).toMatchObject({ name: record.name, active: true });
    });

    test(`lets the ${name} succeed if the caller still may, and keeps the other change`, async () => {
      const { record } = succeeded(await core.keys.create(admin, newKeyBody({ dealer_id: dealerId })));
      const keys = interrupted(() => core.keys.update(admin, record.id, { description: "Meanwhile" }));
      expect(causeOf(await change(keys, caller(), record.id))).toBeNull();
      const after = await core.keys.get(admin, record.id);
      if (name === "deletion") expect(causeOf(after)?.kind).toBe("not-found");
      else expect(succeeded(after).description).toBe("Meanwhile");
    });

    test(`lets the ${name} find nothing if the key was deleted or left the visibility of the caller`, async () => {
      for (const between of [
        (id: number) => core.keys.remove(admin, id),
        (id: number) => core.keys.update(admin, id, { dealer_id: null }),
      ]) {
        const { record } = succeeded(await core.keys.create(admin, newKeyBody({ dealer_id: dealerId })));
        const keys = interrupted(() => between(record.id));
        expect(causeOf(await change(keys, caller(), record.id))?.kind).toBe("not-found");
      }
    });
  }
});

test("a user whose rights exceed the caller's during a change is not changed", async () => {
  const users = makeUserRepository(core.db, () => {});
  const user = succeeded(
    await core.users.create(admin, newUserBody("rising@harbor.example.com", { dealer_id: dealerId })),
  );
  let pending = true;
  const racing = makeUsers({
    users: {
      ...users,
      async change(context, decide) {
        if (pending) {
          pending = false;
          succeeded(await core.users.update(admin, user.id, { permissions: [READ_AUDIT] }));
        }
        return users.change(context, decide);
      },
    },
    dealers: core.repositories.dealers,
    secrets,
    clock: core.clock,
  });
  expect(causeOf(await racing.update(caller(), user.id, { name: "Mine" }))?.kind).toBe("escalation");
  expect(succeeded(await core.users.get(admin, user.id)).name).toBe(user.name);
});
