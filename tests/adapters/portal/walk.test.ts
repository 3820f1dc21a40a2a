import { describe, expect, test } from "bun:test";
import type { WalkService } from "../../../adapters/portal/walk/send-action.ts";
import { Walk } from "../../../adapters/portal/walk/walk.ts";
import {
  type Change,
  type Kept,
  LIMITS,
  presentVehicle,
  progressOf,
  resumed,
  type WalkedVehicle,
  type WalkState,
} from "../../../adapters/portal/walk/walk-state.ts";

const OWNER = 7;

const vehicle = (id: number, fields: Partial<WalkedVehicle> = {}): WalkedVehicle => ({
  ...{ id, title: `Car ${id}`, year: 2022, make: "Toyota", model: "Camry", stock_number: `A${id}` },
  ...{ price: 20_000, status: "available", listed_at: null, updated_at: "v1", image: null, ...fields },
});

const KEPT: Kept = {
  ...{ userId: OWNER, dealerId: 1, dealerName: "Harbor Motors", day: "2026-11-27", currency: "USD" },
  ...{ isOwn: true, mayChange: true },
  ...{ vehicles: [vehicle(1), vehicle(2), vehicle(3)], steps: [], lastKey: 0, touched: [] },
};

const refusal = (status: number, code = "no_answer"): Error =>
  Object.assign(new Error(code), { status, code, sentence: `${code}.`, details: [], retrySeconds: null });
const photo = (bytes = 1) => ({ name: "p.jpg", type: "image/jpeg", bytes: new ArrayBuffer(bytes) });

/** A service with vehicles in memory. `fail` is what a change ends with: before it is made, or with its answer lost. */
const memoryService = () => {
  const vehicles = new Map(KEPT.vehicles.map((one) => [one.id, one]));
  const made: string[] = [];
  const service = { user: OWNER, isReachable: true, fail: null as "before" | "answer" | Error | null };
  let version = 1;
  let lastImage = 0;
  const at = (id: number): WalkedVehicle => {
    const found = vehicles.get(id);
    if (found === undefined) throw refusal(404, "not_found");
    return found;
  };
  const write = (id: number, changes: Partial<WalkedVehicle>): void =>
    void vehicles.set(id, { ...at(id), ...changes, updated_at: `v${++version}` });
  const changing = <Result>(what: string, make: () => Result): Result => {
    const { fail } = service;
    if (!service.isReachable || fail === "before") throw refusal(0);
    if (fail instanceof Error) throw fail;
    const result = make();
    made.push(what);
    if (fail !== "answer") return result;
    service.isReachable = false;
    throw refusal(0);
  };
  const port: { -readonly [Name in keyof WalkService]: WalkService[Name] } = {
    inWords: String,
    async user() {
      if (!service.isReachable) throw refusal(0);
      return service.user;
    },
    async vehicle(id) {
      if (!service.isReachable) throw refusal(0);
      return at(id);
    },
    async setPrice(id, price, seen) {
      if (vehicles.get(id) === undefined) return { fault: "gone" };
      if (at(id).updated_at !== seen) return { fault: "version" };
      return changing(`price ${id} ${price}`, () => {
        write(id, { price });
        return { changeId: `change ${id}` };
      });
    },
    addPhoto: async (id) =>
      changing(`photo ${id}`, () => {
        write(id, {});
        return ++lastImage;
      }),
    async revert(changeId) {
      return changing(`revert ${changeId}`, () => {
        write(Number(changeId.split(" ")[1]), { price: 20_000 });
        return null;
      });
    },
    removeImage: async (id, imageId) => changing(`remove image ${imageId} of ${id}`, () => write(id, {})),
  };
  return { service, port, made, write, remove: (id: number) => vehicles.delete(id) };
};

/** Lets everything go on that waits for nobody. */
const quiet = async (): Promise<void> => {
  for (let turn = 0; turn < 60; turn++) await Promise.resolve();
};

/** A walk on a device in memory. */
const startWalk = (state: WalkState = { kept: KEPT, actions: [] }) => {
  const memory = memoryService();
  const device = { isFull: false, state };
  const save = async ({ state: next }: Change): Promise<void> => {
    if (device.isFull) throw new Error("no room");
    device.state = next;
  };
  const open = (): Walk =>
    new Walk(device.state, { device: { save }, service: memory.port, nameOf: ({ id }) => `${id}` });
  const walk = open();
  const present = (): WalkedVehicle => {
    const shown = presentVehicle(walk.read().state);
    if (shown === null) throw new Error("the walk is at its end");
    return shown;
  };
  return {
    ...{ ...memory, device, walk, open, present },
    /** Everything that waits was tried, once. */
    settled: async () => {
      await quiet();
      await walk.send();
    },
    refused: () => walk.read().state.actions.flatMap(({ refused }) => (refused === null ? [] : [refused])),
  };
};

describe("a walk through the lot", () => {
  test("is sent in its order, each action once, and what is held changes nothing", async () => {
    const { walk, present, made, settled, service } = startWalk();
    service.isReachable = false;
    await walk.photo(present(), photo());
    await walk.lower(present(), 19_600);
    await walk.hold(present());
    const last = present();
    // Pressed twice before the next card was there.
    await Promise.all([walk.lower(last, 19_500), walk.lower(last, 19_500)]);
    await settled();
    expect([made, walk.read().sending.is, presentVehicle(walk.read().state)]).toEqual([[], "later", null]);
    service.isReachable = true;
    await settled();
    await settled();
    expect(made).toEqual(["photo 1", "price 1 19600", "price 3 19500"]);
    expect(walk.read().state.actions).toEqual([]);
    expect(progressOf(walk.read().state)).toEqual({ done: 3, total: 3 });
  });

  test("goes on only once it is kept: a device without room changes nothing, and says so", async () => {
    const { walk, present, device, made, settled } = startWalk();
    device.isFull = true;
    await walk.lower(present(), 19_600);
    await settled();
    expect([present().id, made, walk.read().fault !== null]).toEqual([1, [], true]);
  });

  test("sends nothing twice when an answer was lost, nor after a page that ended meanwhile", async () => {
    const { walk, present, made, settled, service, open, device } = startWalk();
    service.fail = "answer";
    await walk.lower(present(), 19_600);
    await settled();
    expect(device.state.actions.map(({ wasTried }) => wasTried)).toEqual([true]);
    service.fail = null;
    service.isReachable = true;
    const after = open();
    await after.send();
    expect([made, after.read().state.actions]).toEqual([["price 1 19600"], []]);
    // What was made without an answer is taken back by the price before.
    await after.undo();
    await quiet();
    expect(made).toEqual(["price 1 19600", "price 1 20000"]);
  });

  test("changes nothing that somebody else changed meanwhile: the card says so, and comes back as it is now", async () => {
    const { walk, present, made, settled, service, refused, write } = startWalk();
    write(1, { price: 18_000 });
    // Even if it is something that the card does not show, or the very price.
    write(2, {});
    write(3, { price: 19_500 });
    await walk.lower(present(), 19_600);
    await walk.lower(present(), 19_600);
    await walk.lower(present(), 19_500);
    await settled();
    expect(refused()).toEqual(
      [18_000, 20_000, 19_500].map((price) =>
        expect.stringContaining(`Somebody changed it meanwhile: its price is ${price} now`),
      ),
    );
    await walk.forget(1);
    expect([made, present()]).toMatchObject([[], { id: 1, price: 18_000 }]);
    await walk.hold(present());
    service.isReachable = false;
    await walk.forget(2);
    expect(present()).toMatchObject({ id: 2, price: 20_000, updated_at: "v1" });
  });

  test("shows the card of what is given up at once, and sets no price by it until its vehicle is read again", async () => {
    const { walk, present, made, settled, refused, write, port } = startWalk();
    write(1, { price: 18_000 });
    await walk.lower(present(), 19_600);
    await settled();
    const now = await port.vehicle(1);
    const answer = Promise.withResolvers<WalkedVehicle>();
    port.vehicle = () => answer.promise;
    const both = [walk.forget(1), walk.forget(1)];
    await quiet();
    expect([present(), walk.read().reading]).toMatchObject([{ id: 1, price: 20_000 }, [1, 1]]);
    await walk.lower(present(), 19_600);
    // Taken back meanwhile, the card is read all the same.
    await walk.hold(present());
    await walk.undo();
    answer.resolve(now);
    await Promise.all(both);
    expect([present(), walk.read().reading]).toMatchObject([{ id: 1, price: 18_000 }, []]);
    await walk.lower(present(), 17_600);
    await settled();
    expect([made, refused()]).toEqual([["price 1 17600"], []]);
  });

  test("takes its own photo for no change of somebody else, if another photo is given up before the price is sent", async () => {
    const { walk, present, made, settled, service, refused } = startWalk();
    await walk.photo(present(), photo());
    await settled();
    service.fail = refusal(400, "invalid_input");
    await walk.photo(present(), photo());
    await settled();
    service.fail = "before";
    await walk.lower(present(), 19_600);
    await settled();
    await walk.forget(2);
    service.fail = null;
    await settled();
    expect([made, refused()]).toEqual([["photo 1", "price 1 19600"], []]);
  });

  test("takes no change for its own that comes after a card was read again", async () => {
    const { walk, present, made, settled, service, refused, write } = startWalk();
    await walk.photo(present(), photo());
    await settled();
    service.fail = refusal(400, "invalid_input");
    await walk.photo(present(), photo());
    await settled();
    service.fail = null;
    await walk.forget(2);
    write(1, {});
    await walk.lower(present(), 19_600);
    await settled();
    expect([made, refused()]).toEqual([["photo 1"], [expect.stringContaining("Somebody changed it meanwhile")]]);
  });

  test("knows its own photos: they make a new version, and the price that follows is no conflict; another's change is", async () => {
    const { walk, present, made, settled, service, refused, write } = startWalk();
    service.isReachable = false;
    await walk.photo(present(), photo());
    await walk.lower(present(), 19_600);
    await walk.photo(present(), photo());
    await walk.lower(present(), 19_600);
    await settled();
    write(2, { status: "pending" });
    service.isReachable = true;
    await settled();
    expect(made).toEqual(["photo 1", "price 1 19600", "photo 2"]);
    expect(refused()).toHaveLength(1);
  });

  test("waits when the session has ended or is another user's, and is never sent as that user", async () => {
    const { walk, present, made, settled, service } = startWalk();
    service.user = OWNER + 1;
    await walk.lower(present(), 19_600);
    await settled();
    service.user = OWNER;
    service.fail = refusal(401, "signed_out");
    await settled();
    expect([made, walk.read().sending.is, walk.read().state.actions.length]).toEqual([[], "signed-out", 1]);
    service.fail = null;
    await settled();
    expect(made).toEqual(["price 1 19600"]);
  });

  test("shows what the service does not take with its reason, sends the others, and tries again when asked", async () => {
    const { walk, present, made, settled, service, refused, remove } = startWalk();
    service.fail = refusal(403, "permission_missing");
    await walk.lower(present(), 19_600);
    await settled();
    service.fail = null;
    remove(2);
    await walk.lower(present(), 19_600);
    await walk.lower(present(), 19_500);
    await settled();
    expect(refused()).toEqual([
      expect.stringContaining("You may not change this vehicle any more."),
      expect.stringContaining("It is no longer there."),
    ]);
    await walk.again(1);
    await settled();
    expect(made).toEqual(["price 3 19500", "price 1 19600"]);
    expect(refused()).toHaveLength(1);
  });

  test("takes the last step back: before it was sent, it is not sent; afterwards, it is undone", async () => {
    const { walk, present, made, settled, service } = startWalk();
    service.isReachable = false;
    await walk.hold(present());
    await walk.lower(present(), 19_600);
    await settled();
    await walk.undo();
    await walk.undo();
    expect([present().id, walk.read().state.actions]).toEqual([1, []]);
    service.isReachable = true;
    await walk.photo(present(), photo());
    await walk.lower(present(), 19_600);
    await settled();
    await walk.undo();
    await settled();
    expect(present()).toMatchObject({ id: 1, price: 20_000 });
    await walk.undo();
    await settled();
    expect(made).toEqual(["photo 1", "price 1 19600", "revert change 1", "remove image 1 of 1"]);
  });

  test("takes a step back whose answer has not come yet, once it has", async () => {
    const { walk, present, made, settled, service } = startWalk();
    service.fail = "before";
    await walk.lower(present(), 19_600);
    await settled();
    await walk.undo();
    service.fail = null;
    await settled();
    expect(made).toEqual(["price 1 19600", "revert change 1"]);
  });

  test("keeps only so many photos and bytes, and says what to do", async () => {
    const { walk, present, service, settled } = startWalk();
    service.isReachable = false;
    await walk.photo(present(), photo(LIMITS.bytes));
    await walk.photo(present(), photo(1));
    expect(walk.read().fault).toContain("would take more than 200 MB");
    await walk.undo();
    for (let count = 0; count <= LIMITS.photos; count++) await walk.photo(present(), photo());
    await settled();
    expect([walk.read().fault, walk.read().state.actions.length]).toEqual([
      expect.stringContaining("60 photos wait on this device"),
      LIMITS.photos,
    ]);
  });

  test("goes on where it stopped on the same day; on another it begins anew, with what is not sent", async () => {
    const { walk, present, service, settled } = startWalk();
    service.isReachable = false;
    await walk.lower(present(), 19_600);
    await walk.hold(present());
    await settled();
    const before = walk.read().state;
    const { steps: _, lastKey: _1, touched: _2, ...read } = KEPT;
    expect(presentVehicle(resumed(before, read))?.id).toBe(3);
    const next = resumed(before, { ...read, day: "2026-11-28" });
    expect([presentVehicle(next)?.id, next.actions.length, next.kept.lastKey]).toEqual([1, 1, 1]);
  });
});
