import { describe, expect, test } from "bun:test";
import { UploadSlots } from "../../../core/imports/upload-slots.ts";
import { dealerKey, superAdminKey } from "../callers.ts";

type Caller = ReturnType<typeof dealerKey>;

describe("files that arrive at the same time", () => {
  const begun = () => {
    const files = new UploadSlots();
    const ends: (() => void)[] = [];
    return {
      ends,
      receive: (caller: Caller) => {
        const { promise, resolve } = Promise.withResolvers<string>();
        ends.push(() => resolve("received"));
        return files.receive(caller, { full: "full", reception: () => promise });
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
});
