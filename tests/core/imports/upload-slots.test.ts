import { describe, expect, test } from "bun:test";
import type { Alarm } from "../../../core/clock.ts";
import { UploadSlots } from "../../../core/imports/upload-slots.ts";
import { dealerKey, superAdminKey } from "../callers.ts";

type Caller = ReturnType<typeof dealerKey>;

describe("files that arrive at the same time", () => {
  const begun = (alarm: Alarm | null = null) => {
    const files = new UploadSlots(alarm);
    const ends: (() => void)[] = [];
    return {
      ends,
      receive: (caller: Caller, gone?: Promise<unknown>) => {
        const { promise, resolve } = Promise.withResolvers<string>();
        ends.push(() => resolve("received"));
        return files.receive(caller, { full: "full", reception: () => promise, gone });
      },
      files,
    };
  };

  test("are limited to two per dealer, whatever its keys, and leave room for others", async () => {
    const { receive, ends } = begun();
    const own = [receive(dealerKey(7)), receive({ ...dealerKey(7), keyId: 99 })];
    expect(await receive(dealerKey(7))).toBe("full");
    const others = [receive(dealerKey(8)), receive(superAdminKey())];
    for (const end of ends) end();
    expect(await Promise.all([...own, ...others])).toEqual(["received", "received", "received", "received"]);
  });

  test("are limited to six for all callers", async () => {
    const { receive, ends } = begun();
    const six = [7, 7, 8, 8, 9, 9].map((dealer) => receive(dealerKey(dealer)));
    expect(await receive(dealerKey(10))).toBe("full");
    for (const end of ends) end();
    expect(new Set(await Promise.all(six))).toEqual(new Set(["received"]));
  });

  test("free their slots when they have arrived, and when they fail", async () => {
    const { files, receive, ends } = begun();
    const broken = files.receive(dealerKey(7), { full: null, reception: () => Promise.reject(new Error("cut off")) });
    expect(await broken.catch(String)).toContain("cut off");
    for (let round = 0; round < 8; round++) {
      const one = receive(dealerKey(7));
      ends.pop()?.();
      expect(await one).toBe("received");
    }
  });

  /** Alarms that ring when the test says so. */
  const alarms = () => {
    const set: { readonly ms: number; readonly ring: () => void }[] = [];
    const alarm: Alarm = (ms, ring) => {
      const one = { ms, ring };
      set.push(one);
      return () => void set.splice(set.indexOf(one), 1);
    };
    return { set, alarm };
  };

  test("wait for a place up to 5 seconds, in their order, past senders who have as many as they may", async () => {
    const { set, alarm } = alarms();
    const { receive, ends, files } = begun(alarm);
    const order: string[] = [];
    const waitFor = (dealer: number, name: string) =>
      files.receive(dealerKey(dealer), {
        full: "full",
        reception: async () => {
          order.push(name);
          return "received";
        },
      });
    const six = [7, 7, 8, 8, 9, 9].map((dealer) => receive(dealerKey(dealer)));
    const waiting = [waitFor(7, "first of 7"), waitFor(7, "second of 7"), waitFor(10, "of 10")];
    expect(set.map(({ ms }) => ms)).toEqual([5000, 5000, 5000]);
    // A place of dealer 8 is none for dealer 7, which has two.
    ends[2]?.();
    expect(await waiting[2]).toBe("received");
    ends[0]?.();
    expect(await Promise.all(waiting)).toEqual(["received", "received", "received"]);
    expect(order).toEqual(["of 10", "first of 7", "second of 7"]);
    expect(set).toEqual([]);
    for (const end of ends) end();
    await Promise.all(six);
  });

  test("are refused when their time is over or their sender goes away, and leave no place taken", async () => {
    const { set, alarm } = alarms();
    const { receive, ends } = begun(alarm);
    const own = [receive(dealerKey(7)), receive(dealerKey(7))];
    const { promise: gone, resolve: leave } = Promise.withResolvers<void>();
    const [late, left] = [receive(dealerKey(7)), receive(dealerKey(7), gone)];
    set[0]?.ring();
    expect(await late).toBe("full");
    leave();
    expect(await left).toBe("full");
    expect(set).toEqual([]);
    for (const end of ends) end();
    expect(await Promise.all(own)).toEqual(["received", "received"]);
    const next = [receive(dealerKey(7)), receive(dealerKey(7))];
    expect(set).toEqual([]);
    for (const end of ends) end();
    expect(await Promise.all(next)).toEqual(["received", "received"]);
  });

  test("wait in limited numbers: 8 of a sender, 24 of all", async () => {
    const { set, alarm } = alarms();
    const { receive, ends } = begun(alarm);
    const all = [7, 7, 8, 8, 9, 9].map((dealer) => receive(dealerKey(dealer)));
    for (let n = 0; n < 8; n++) all.push(receive(dealerKey(7)));
    expect(await receive(dealerKey(7))).toBe("full");
    for (let n = 0; n < 16; n++) all.push(receive(dealerKey(20 + n)));
    expect(set).toHaveLength(24);
    expect(await receive(dealerKey(99))).toBe("full");
    const rung = [...set];
    for (const { ring } of rung) ring();
    for (const end of ends) end();
    const results = await Promise.all(all);
    expect(results.filter((result) => result === "full")).toHaveLength(24);
    expect(results.filter((result) => result === "received")).toHaveLength(6);
  });
});
