import { describe, expect, test } from "bun:test";
import { Gate, UploadTurns } from "../../../core/photos/turns.ts";

const MEBIBYTE = 1024 * 1024;

/** A key of this dealer, or one that stands for itself. */
const sender = (caller: string, party = caller) => ({ caller, party });

/** Lets everything that can go on without an event go on. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
};

/** Work that is going on until it is ended. */
const ongoing = () => {
  const running: number[] = [];
  const ends = new Map<number, () => void>();
  return {
    running,
    begin: (number: number) => () =>
      new Promise<number>((resolve) => {
        running.push(number);
        ends.set(number, () => {
          running.splice(running.indexOf(number), 1);
          resolve(number);
        });
      }),
    end: (number: number) => ends.get(number)?.(),
  };
};

describe("a gate", () => {
  test("lets those that wait through in their order, a heavy one before the light ones behind it", async () => {
    const gate = new Gate(3);
    const entered: string[] = [];
    const leave = await gate.enter(2);
    const heavy = gate.enter(3).then((end) => {
      entered.push("heavy");
      return end;
    });
    const light = gate.enter(1).then((end) => {
      entered.push("light");
      return end;
    });
    await settled();
    expect(entered).toEqual([]);
    leave();
    await settled();
    expect(entered).toEqual(["heavy"]);
    (await heavy)();
    (await light)();
    expect(entered).toEqual(["heavy", "light"]);
  });
});

describe("the turns of uploads", () => {
  test("are four at once for a caller, the rest in their order, and callers do not wait for each other", async () => {
    const turns = new UploadTurns(2);
    const { running, begin, end } = ongoing();
    const all = [1, 2, 3, 4, 5, 6].map((number) => turns.run(sender("one"), MEBIBYTE, begin(number)));
    all.push(turns.run(sender("other"), MEBIBYTE, begin(7)));
    await settled();
    expect(running).toEqual([1, 2, 3, 4, 7]);
    end(2);
    await settled();
    expect(running).toEqual([1, 3, 4, 7, 5]);
    for (const number of [1, 3, 4, 7, 5]) end(number);
    await settled();
    end(6);
    expect(await Promise.all(all)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test("hold 64 MiB of files in memory at most", async () => {
    const turns = new UploadTurns(2);
    const { running, begin, end } = ongoing();
    const all = [1, 2, 3, 4].map((number) => turns.run(sender(`caller ${number}`), 20 * MEBIBYTE, begin(number)));
    await settled();
    expect(running).toEqual([1, 2, 3]);
    end(1);
    await settled();
    expect(running).toEqual([2, 3, 4]);
    for (const number of [2, 3, 4]) end(number);
    expect(await Promise.all(all)).toEqual([1, 2, 3, 4]);
  });

  test("leave room for others, however much the keys of one dealer send, and however slowly", async () => {
    const turns = new UploadTurns(2);
    const { running, begin, end } = ongoing();
    const ofDealer = [1, 2, 3, 4].map((number) =>
      turns.run(sender(`key ${number}`, "one"), 20 * MEBIBYTE, begin(number)),
    );
    const small = turns.run(sender("key 5", "other"), 20 * MEBIBYTE, begin(5));
    await settled();
    expect(running).toEqual([1, 5]);
    for (const number of [1, 5, 2, 3, 4]) {
      end(number);
      await settled();
    }
    expect(await Promise.all([...ofDealer, small])).toEqual([1, 2, 3, 4, 5]);
  });

  test("do not all wait for one dealer", async () => {
    const turns = new UploadTurns(2);
    const { begin, end } = ongoing();
    const all = Array.from({ length: 48 }, (_, number) => turns.run(sender(`key ${number}`, "one"), 1, begin(number)));
    expect(await turns.run(sender("key 48", "one"), 1, begin(48))).toBeNull();
    const other = turns.run(sender("other"), 1, begin(49));
    await settled();
    end(49);
    expect(await other).toBe(49);
    for (let number = 0; number < 48; number++) end(number);
    await Promise.all(all);
  });

  test("may all be of a key that stands for itself", async () => {
    const turns = new UploadTurns(2);
    const { begin, end, running } = ongoing();
    const all = Array.from({ length: 66 }, (_, number) => turns.run(sender("one"), 1, begin(number)));
    expect(await turns.run(sender("one"), 1, begin(66))).toBeNull();
    for (let number = 0; number < 66; number++) {
      await settled();
      expect(running[0]).toBe(number);
      end(number);
    }
    expect(await Promise.all(all)).toEqual(Array.from({ length: 66 }, (_, number) => number));
  });

  test("decode as many photos at once as there are processors", async () => {
    const turns = new UploadTurns(2);
    const { running, begin, end } = ongoing();
    const all = [1, 2, 3].map((number) => turns.decode(begin(number)));
    await settled();
    expect(running).toEqual([1, 2]);
    end(1);
    await settled();
    expect(running).toEqual([2, 3]);
    for (const number of [2, 3]) end(number);
    expect(await Promise.all(all)).toEqual([1, 2, 3]);
  });

  test("are refused when 64 wait beside those that are decoded, and given again when some have ended", async () => {
    const turns = new UploadTurns(2);
    const { begin, end } = ongoing();
    const all = Array.from({ length: 66 }, (_, number) => turns.run(sender(`caller ${number}`), 1, begin(number)));
    expect(await turns.run(sender("late"), 1, begin(100))).toBeNull();
    await settled();
    end(0);
    await all[0];
    const next = turns.run(sender("next"), 1, begin(101));
    await settled();
    end(101);
    expect(await next).toBe(101);
    for (let number = 1; number < 66; number++) end(number);
    await Promise.all(all);
  });

  test("end with work that fails", async () => {
    const turns = new UploadTurns(1);
    const failing = () => turns.run(sender("one"), MEBIBYTE, () => Promise.reject(new Error("no")));
    for (let round = 0; round < 100; round++) await failing().catch(() => {});
    expect(await turns.run(sender("one"), MEBIBYTE, async () => "done")).toBe("done");
  });
});
