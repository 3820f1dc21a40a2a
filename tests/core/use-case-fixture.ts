import { afterAll, beforeAll } from "bun:test";
import type { ImageDelivery } from "../../core/images/image.ts";
import { superAdminKey } from "./callers.ts";
import {
  createDealerRecords,
  type DealerRecords,
  newDealerBody,
  newKeyBody,
  newUserBody,
  newVehicleBody,
  openUseCases,
  read,
  succeeded,
  type UseCases,
} from "./use-cases.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Every use case, two dealers with their records, and functions that create more as a super-admin. */
export interface UseCaseFixture extends UseCases {
  readonly records: DealerRecords;
  readonly otherRecords: DealerRecords;
  readonly newDealer: (fields?: Fields) => ReturnType<typeof madeDealer>;
  /** Creates a vehicle of the first dealer; `fields` replace the defaults. */
  readonly newVehicle: (fields?: Fields) => ReturnType<typeof madeVehicle>;
  readonly newKey: (fields?: Fields) => ReturnType<typeof madeKey>;
  /** Creates a user with a unique address; `fields` replace the defaults. */
  readonly newUser: (fields?: Fields) => ReturnType<typeof madeUser>;
}

const admin = superAdminKey();

const madeDealer = async ({ dealers }: UseCases, fields: Fields) =>
  succeeded(await dealers.create(admin, { ...newDealerBody(), ...fields }));
const madeVehicle = async ({ vehicles }: UseCases, fields: Fields) =>
  read(await vehicles.create(admin, newVehicleBody(fields)));
const madeKey = async ({ keys }: UseCases, fields: Fields) => succeeded(await keys.create(admin, newKeyBody(fields)));

let people = 0;
const madeUser = async ({ users }: UseCases, fields: Fields) =>
  succeeded(await users.create(admin, newUserBody(`user-of-fixture-${++people}@harbor.example.com`, fields)));

/**
 * Opens all of this before the tests of the surrounding `describe` or file, and closes it after them. The returned
 * fixture is ready when the first test runs.
 */
export const openFixture = (delivery: ImageDelivery | null = null): UseCaseFixture => {
  let opened: UseCaseFixture | null = null;
  beforeAll(async () => {
    const core = await openUseCases(delivery);
    const [records, otherRecords] = [await createDealerRecords(core), await createDealerRecords(core)];
    opened = {
      ...core,
      records,
      otherRecords,
      newDealer: (fields = {}) => madeDealer(core, fields),
      newVehicle: (fields = {}) => madeVehicle(core, { dealer_id: records.dealerId, ...fields }),
      newKey: (fields = {}) => madeKey(core, fields),
      newUser: (fields = {}) => madeUser(core, fields),
    };
  });
  afterAll(async () => {
    await opened?.db.close();
    // Tests are kept until their process ends, with all that they can reach.
    opened = null;
  });
  return new Proxy({} as UseCaseFixture, {
    get(_, name) {
      if (opened === null) throw new Error("the fixture is ready when the first test runs");
      return Reflect.get(opened, name);
    },
  });
};
