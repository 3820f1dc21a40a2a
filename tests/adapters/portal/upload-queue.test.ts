import { describe, expect, test } from "bun:test";
import { type SentPhoto, UploadQueue } from "../../../adapters/portal/photos/upload-queue.ts";

const photos = (...names: readonly string[]): File[] => names.map((name) => new File(["x"], name));

/** A queue whose photos arrive, or fail, when the test says so. */
const startQueue = () => {
  const sent: (SentPhoto & { readonly arrive: () => void; readonly fail: (words: string) => void })[] = [];
  const added: number[] = [];
  const queue = new UploadQueue({
    send: (photo) =>
      new Promise<void>((arrive, reject) => {
        sent.push({ ...photo, arrive, fail: (words) => reject(new Error(words)) });
      }),
    explain: (error) => ({ words: (error as Error).message, mayHelp: (error as Error).message !== "refused" }),
    onIdle: (count) => added.push(count),
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    ...{ queue, sent, added },
    states: () => queue.list().map(({ file, state }) => `${file.name} ${state}`),
    async arrives(name: string) {
      sent.findLast(({ file }) => file.name === name)?.arrive();
      await settle();
    },
    async fails(name: string, words: string) {
      sent.findLast(({ file }) => file.name === name)?.fail(words);
      await settle();
    },
  };
};

describe("photos that are sent", () => {
  test("are four at a time, in their order; the next follows when one has arrived", async () => {
    const { queue, sent, states, arrives } = startQueue();
    queue.add(photos("a", "b", "c", "d", "e", "f"), []);
    expect(sent.map(({ file }) => file.name)).toEqual(["a", "b", "c", "d"]);
    await arrives("c");
    expect(sent.map(({ file }) => file.name)).toEqual(["a", "b", "c", "d", "e"]);
    expect(states()).toEqual(["a sending", "b sending", "d sending", "e sending", "f waiting"]);
  });

  test("have places behind the images that are there and behind one another, and only the very first is primary", () => {
    const { queue, sent } = startQueue();
    queue.add(photos("a", "b"), [{ display_order: 4 }, { display_order: 7 }]);
    queue.add(photos("c"), [{ display_order: 4 }, { display_order: 7 }]);
    expect(sent.map(({ display_order, isFirst }) => [display_order, isFirst])).toEqual([
      [8, false],
      [9, false],
      [10, false],
    ]);
    const empty = startQueue();
    empty.queue.add(photos("a", "b"), []);
    empty.queue.add(photos("c"), []);
    expect(empty.sent.map(({ display_order, isFirst }) => [display_order, isFirst])).toEqual([
      [0, true],
      [1, false],
      [2, false],
    ]);
  });

  test("say how far they are", () => {
    const { queue, sent } = startQueue();
    queue.add(photos("a"), []);
    sent[0]?.onProgress(0.4);
    expect(queue.list()).toMatchObject([{ state: "sending", share: 0.4 }]);
    sent[0]?.onProgress(1);
    expect(queue.list()).toMatchObject([{ state: "making", share: 1 }]);
  });

  test("stay in the list if they fail, are tried again at their place, and then leave it", async () => {
    const { queue, sent, added, states, arrives, fails } = startQueue();
    queue.add(photos("a", "b", "c"), []);
    await fails("b", "no answer");
    await fails("c", "refused");
    await arrives("a");
    expect(states()).toEqual(["b failed", "c refused"]);
    expect(queue.list().map(({ words }) => words)).toEqual(["no answer", "refused"]);
    expect(added).toEqual([1]);
    const [b, c] = queue.list().map(({ id }) => id);
    queue.retry([b ?? 0]);
    queue.forget(b ?? 0);
    expect(states()).toEqual(["b sending", "c refused"]);
    expect(sent.at(-1)).toMatchObject({ display_order: 1, isFirst: false });
    await arrives("b");
    queue.forget(c ?? 0);
    expect([states(), added]).toEqual([[], [1, 1]]);
  });

  test("stop when the page is left: nothing more is sent, and nothing is said", async () => {
    const { queue, sent, added, fails, states } = startQueue();
    queue.add(photos("a", "b", "c", "d", "e"), []);
    queue.close();
    expect(sent.every(({ signal }) => signal.aborted)).toBe(true);
    await fails("a", "stopped");
    expect([sent.length, added, states()[0]]).toEqual([4, [], "a sending"]);
  });
});
