import { expect, test } from "bun:test";
import type { Recipient } from "../../../../adapters/http/protocol/answer-places.ts";
import { EXPORT_LIMITS, LongAnswers, ReadingEnded } from "../../../../adapters/http/protocol/long-answers.ts";
import { ARRAY, LongBody, type Pieces } from "../../../../adapters/http/protocol/long-body.ts";
import { fakeClock } from "../../../support/clock.ts";

const MEBIBYTE = 1024 * 1024;
const NEVER = new AbortController().signal;
const unexpected = (error: unknown): never => {
  throw error;
};

/** A body of these slices, which counts how many were read. */
const bodyOf = (...slices: readonly (readonly string[])[]) => {
  const read: number[] = [];
  const reads = slices.map((items, index) => () => {
    read.push(index);
    return items;
  });
  return { read, body: new LongBody(reads, { start: '{"list":[', end: "]}", separator: "," }) };
};

const readerOf = (subject: string, group: string | null = null): Recipient => ({ subject, group, mayGoOn: () => true });

const begin = (answers: LongAnswers, subject: string, { body = bodyOf(["1"], ["2"]).body, gone = NEVER } = {}) =>
  answers.begin({ reader: readerOf(subject), body, gone, failed: unexpected });

const begun = async (...parts: Parameters<typeof begin>): Promise<ReadableStream<Uint8Array>> => {
  const stream = await begin(...parts);
  if (stream === null) throw new Error("its turn did not come");
  return stream;
};

const textOf = (stream: ReadableStream): Promise<string> => new Response(stream).text();

test("a body has its items between a start and an end, whatever the slices hold", async () => {
  for (const [slices, text] of [
    [[["1", "2"], ["3"]], '{"list":[1,2,3]}'],
    [[[], ["1"], [], ["2"], []], '{"list":[1,2]}'],
    [[[], []], '{"list":[]}'],
    [[], '{"list":[]}'],
  ] as const)
    expect(await textOf(await begun(new LongAnswers(), "key:1", { body: bodyOf(...slices).body }))).toBe(text);
});

test("a slice is read only after the previous one was taken", async () => {
  const { read, body } = bodyOf(["1"], ["2"], ["3"], ["4"]);
  const reader = (await begun(new LongAnswers(), "key:1", { body })).getReader();
  expect(read).toEqual([0]);
  await reader.read();
  await reader.read();
  expect(read).toEqual([0, 1]);
});

test("a caller gets one long answer at a time, nothing is read for those that wait in vain, and others get theirs", async () => {
  const answers = new LongAnswers({ bytes: 128 * MEBIBYTE, waitMs: 1 });
  await begun(answers, "key:1");
  const { read, body } = bodyOf(["1"]);
  expect(await begin(answers, "key:1", { body })).toBeNull();
  expect(read).toEqual([]);
  expect(await textOf(await begun(answers, "key:2"))).toBe('{"list":[1,2]}');
});

test("all long answers together use no more than the allowed memory", async () => {
  const answers = new LongAnswers({ bytes: 3 * MEBIBYTE, waitMs: 1 });
  const streams = [await begun(answers, "key:1"), await begun(answers, "key:2"), await begun(answers, "key:3")];
  expect(await begin(answers, "key:4")).toBeNull();
  await streams[1]?.cancel();
  await begun(answers, "key:4");
  expect(await begin(answers, "key:5")).toBeNull();
});

const PATIENT = { bytes: 128 * MEBIBYTE, waitMs: 60_000 };

test("the next long answer gets its turn when the previous one was sent, cancelled, broken off or never begun", async () => {
  const answers = new LongAnswers(PATIENT);
  const failing = new LongBody([() => ["1"], () => Promise.reject(new Error("lost"))], ARRAY);
  const neverBegun = new LongBody([() => Promise.reject(new Error("lost at once"))], ARRAY);

  const whole = await begun(answers, "key:1");
  const second = begun(answers, "key:1");
  await textOf(whole);
  const third = begun(answers, "key:1");
  await (await second).cancel();
  const reported: unknown[] = [];
  const fourth = answers.begin({
    reader: readerOf("key:1"),
    body: failing,
    gone: NEVER,
    failed: (error) => reported.push(String(error)),
  });
  await (await third).cancel();
  const fifth = begun(answers, "key:1", { body: neverBegun });
  const broken = await fourth;
  expect(textOf(broken ?? new ReadableStream())).rejects.toThrow("lost");
  expect(fifth).rejects.toThrow("lost at once");
  await fifth.catch(() => {});
  expect(reported).toEqual(["Error: lost"]);
  expect(await textOf(await begun(answers, "key:1"))).toBe('{"list":[1,2]}');
});

test("a client that left neither waits nor keeps its turn, and no error is reported", async () => {
  const answers = new LongAnswers(PATIENT);
  const [first, second] = [new AbortController(), new AbortController()];
  const stream = await begun(answers, "key:1", { body: bodyOf(["1"], ["2"]).body, gone: first.signal });
  const waiting = begin(answers, "key:1", { body: bodyOf(["1"]).body, gone: second.signal });
  second.abort();
  expect(await waiting).toBeNull();
  first.abort();
  expect(await textOf(await begun(answers, "key:1"))).toBe('{"list":[1,2]}');
  await stream.cancel();
  expect(await textOf(await begun(answers, "key:1"))).toBe('{"list":[1,2]}');
});

test("a client that leaves while the first slice is read gets nothing, and a failure of that slice is no error", async () => {
  const answers = new LongAnswers(PATIENT);
  const leaving = new AbortController();
  const abandoned = new LongBody(
    [
      () => {
        leaving.abort();
        return Promise.reject(new Error("not begun: its client has gone away"));
      },
    ],
    ARRAY,
  );
  expect(await begin(answers, "key:1", { body: abandoned, gone: leaving.signal })).toBeNull();
  expect(await textOf(await begun(answers, "key:1"))).toBe('{"list":[1,2]}');
});

test("waiting callers get their turns in order of arrival", async () => {
  const answers = new LongAnswers(PATIENT);
  const order: number[] = [];
  const first = await begun(answers, "key:1");
  const later = [1, 2, 3].map(async (place) => {
    const stream = await begun(answers, "key:1");
    order.push(place);
    await stream.cancel();
  });
  await first.cancel();
  await Promise.all(later);
  expect(order).toEqual([1, 2, 3]);
});

test("the callers of one dealer leave most of the memory to others, however many keys they have", async () => {
  const answers = new LongAnswers({ bytes: 8 * MEBIBYTE, waitMs: 1 });
  const { body } = bodyOf(["1"], ["2"]);
  const of = (subject: string, group: string | null) =>
    answers.begin({ reader: readerOf(subject, group), body, gone: NEVER, failed: unexpected });
  const [first] = [await of("key:1", "dealer:1"), await of("key:2", "dealer:1")];
  expect(await of("key:3", "dealer:1")).toBeNull();
  for (const subject of ["key:4", "key:5", "key:6"]) expect(await of(subject, null)).not.toBeNull();
  expect(await of("key:7", "dealer:2")).not.toBeNull();
  await first?.cancel();
  expect(await of("key:3", "dealer:1")).not.toBeNull();
});

test("a reader that loses its permission gets no further slice and no proper end", async () => {
  const { read, body } = bodyOf(["1"], ["2"], ["3"], ["4"]);
  const reported: boolean[] = [];
  let may = true;
  const answers = new LongAnswers(PATIENT);
  const stream = await answers.begin({
    reader: { ...readerOf("key:1"), mayGoOn: () => may },
    body,
    gone: NEVER,
    failed: (error) => reported.push(error instanceof ReadingEnded),
  });
  const reader = stream?.getReader();
  await reader?.read();
  await reader?.read();
  may = false;
  await expect(reader?.read()).rejects.toThrow("lost the right");
  expect([read, reported]).toEqual([[0, 1], [true]]);
  expect(await begin(answers, "key:1")).not.toBeNull();
});

test("a reader that loses its permission before the first slice with items gets no answer", async () => {
  const { read, body } = bodyOf([], [], ["1"]);
  const reported: boolean[] = [];
  const answers = new LongAnswers(PATIENT);
  const stream = await answers.begin({
    reader: { ...readerOf("key:1"), mayGoOn: () => read.length < 2 },
    body,
    gone: NEVER,
    failed: (error) => reported.push(error instanceof ReadingEnded),
  });
  expect([stream, read, reported]).toEqual([null, [0, 1], [true]]);
  expect(await begin(answers, "key:1")).not.toBeNull();
});

test("exports run four at once, one for each caller and one for each dealer", async () => {
  const exports = new LongAnswers({ ...EXPORT_LIMITS, waitMs: 1 }, fakeClock());
  const of = (subject: string, group: string | null) =>
    exports.begin({
      reader: readerOf(subject, group),
      body: bodyOf(["1"], ["2"]).body,
      gone: NEVER,
      failed: unexpected,
    });
  const begun = [await of("key:1", "dealer:1"), await of("key:2", "dealer:2"), await of("key:3", null)];
  expect(await of("key:4", "dealer:1")).toBeNull();
  expect(await of("key:3", null)).toBeNull();
  begun.push(await of("key:5", null));
  expect(begun).not.toContain(null);
  expect(await of("key:6", null)).toBeNull();
  for (const stream of begun) await stream?.cancel();
});

/** Exports and feeds with a fake clock: `of` begins one whose reader reads nothing but this piece. */
const sendingOf = () => {
  const clock = fakeClock();
  const answers = new LongAnswers({ ...EXPORT_LIMITS, waitMs: 1 }, clock);
  const ended: string[] = [];
  const of = async (
    subject: string,
    { group = null, isFeed = false, piece = "1" }: { group?: string | null; isFeed?: boolean; piece?: string } = {},
  ) => {
    const stream = await answers.begin({
      reader: { ...readerOf(subject, group), isFeed },
      body: bodyOf([piece], ["2"]).body,
      gone: NEVER,
      failed: () => ended.push(subject),
    });
    await stream?.getReader().read();
    return stream !== null;
  };
  return { clock, ended, of };
};

test("a dealer has one place for its exports and feeds together", async () => {
  const { of } = sendingOf();
  expect(await of("key:1", { group: "dealer:1" })).toBe(true);
  expect(await of("feed:1", { group: "dealer:1", isFeed: true })).toBe(false);
  expect(await of("feed:2", { group: "dealer:2", isFeed: true })).toBe(true);
  expect(await of("key:2", { group: "dealer:2" })).toBe(false);
});

test("exports leave two places to feeds, and feeds leave those of exports to them", async () => {
  const { of } = sendingOf();
  const exports = ["key:1", "key:2", "key:3", "key:4", "key:5"];
  expect(await Promise.all(exports.map((subject) => of(subject)))).toEqual([true, true, true, true, false]);
  const feeds = ["feed:1", "feed:2", "feed:3"];
  expect(await Promise.all(feeds.map((subject) => of(subject, { isFeed: true })))).toEqual([true, true, false]);
});

test("the file that is read most slowly makes way for whoever waits, but only after 5 seconds, and none that is read fast", async () => {
  const { clock, ended, of } = sendingOf();
  const FAST = "x".repeat(7 * MEBIBYTE);
  for (const [subject, piece] of [
    ["key:1", "x".repeat(3000)],
    ["key:2", "x".repeat(2000)],
    ["key:3", FAST],
    ["key:4", FAST],
  ] as const)
    await of(subject, { piece });
  clock.advance(4999);
  expect([await of("key:5"), ended]).toEqual([false, []]);
  clock.advance(1);
  expect([await of("key:6", { piece: FAST }), ended]).toEqual([true, ["key:2"]]);
  expect([await of("key:7", { piece: FAST }), ended]).toEqual([true, ["key:2", "key:1"]]);
  expect([await of("key:8"), ended]).toEqual([false, ["key:2", "key:1"]]);
});

test("a slow file makes way only for those who can take its place", async () => {
  const { clock, ended, of } = sendingOf();
  for (const subject of ["key:1", "key:2", "key:3"]) await of(subject);
  await of("key:4", { group: "dealer:1", piece: "x".repeat(1000) });
  clock.advance(5000);
  // The dealer's only place is its own, and nobody ends an answer of their own by asking again.
  expect([await of("key:5", { group: "dealer:1" }), ended]).toEqual([true, ["key:4"]]);
  expect([await of("key:1"), ended]).toEqual([false, ["key:4"]]);
});

test("a long answer that takes too long is broken off, whatever it waits for, and frees its turn", async () => {
  const clock = fakeClock();
  const answers = new LongAnswers({ ...PATIENT, maxMs: 1000 }, clock);
  const reasons: unknown[] = [];
  const broken = Promise.withResolvers<void>();
  let left = 0;
  function* slices() {
    try {
      yield () => ["1"];
      yield () => ["2"];
    } finally {
      left++;
    }
  }
  const stream = await answers.begin({
    reader: readerOf("key:1"),
    body: new LongBody(slices(), ARRAY),
    gone: NEVER,
    failed(error) {
      reasons.push(error);
      broken.resolve();
    },
  });
  clock.advance(1000);
  await broken.promise;
  expect(textOf(stream ?? new ReadableStream())).rejects.toThrow("too long");
  expect(reasons).toEqual([new ReadingEnded("the answer took too long")]);
  expect(await textOf(await begun(answers, "key:1"))).toBe('{"list":[1,2]}');
  expect([left, reasons.length]).toEqual([1, 1]);
});

test("a long answer whose first slice takes too long is refused, and releases its resources when that slice ends", async () => {
  const clock = fakeClock();
  const answers = new LongAnswers({ ...PATIENT, maxMs: 1000 }, clock);
  const slow = Promise.withResolvers<string[]>();
  const over = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const begins = Promise.withResolvers<void>();
  function* slices() {
    try {
      yield () => {
        begins.resolve();
        return slow.promise;
      };
    } finally {
      left.resolve();
    }
  }
  const beginning = answers.begin({
    reader: readerOf("key:1"),
    body: new LongBody(slices(), ARRAY),
    gone: NEVER,
    failed: () => over.resolve(),
  });
  await begins.promise;
  clock.advance(1000);
  await over.promise;
  slow.resolve(["1"]);
  expect(await beginning).toBeNull();
  await left.promise;
});

/** What a reader at the lowest allowed speed reads in 30 seconds. */
const LONG_PIECE = "x".repeat(30 * 64 * 1024);

/** Exports with a fake clock. `of` begins one of three pieces, of which its reader has read the first. */
const exportsOf = () => {
  const clock = fakeClock();
  const answers = new LongAnswers({ ...EXPORT_LIMITS, waitMs: 60_000 }, clock);
  let begun = 0;
  const of = async (
    piece: string,
    parts: Pick<Parameters<LongAnswers["begin"]>[0], "form"> & { readonly body?: LongBody } = {},
  ) => {
    const broken = Promise.withResolvers<unknown>();
    const stream = await answers.begin({
      reader: readerOf(`key:${++begun}`),
      body: bodyOf([piece], [piece], [piece]).body,
      gone: NEVER,
      failed: broken.resolve,
      ...parts,
    });
    const reader = (stream ?? new ReadableStream<Uint8Array>()).getReader();
    await reader.read();
    return { reader, broken: broken.promise };
  };
  return { clock, answers, of };
};

const TOO_SLOWLY = new ReadingEnded("the answer was read too slowly");

test("an export that is not read for 30 seconds breaks off, and gives its turn to the next", async () => {
  const { clock, answers, of } = exportsOf();
  const { reader, broken } = await of("1");
  const next = begun(answers, "key:1");
  clock.advance(30_001);
  expect(await broken).toEqual(TOO_SLOWLY);
  expect(reader.read()).rejects.toThrow("too slowly");
  expect(await textOf(await next)).toBe('{"list":[1,2]}');
});

test("an export that is read at 64 KiB a second continues, and one that is read more slowly breaks off", async () => {
  const { clock, of } = exportsOf();
  const [fair, slow] = [await of(LONG_PIECE), await of("1")];
  for (const { reader } of [fair, slow]) {
    clock.advance(14_000);
    await reader.read();
  }
  clock.advance(30_000);
  expect(await slow.broken).toEqual(TOO_SLOWLY);
  expect((await fair.reader.read()).done).toBe(false);
  clock.advance(33_000);
  expect(await fair.broken).toEqual(TOO_SLOWLY);
});

test("the bytes of an export count as they are sent, compressed or not", async () => {
  const { clock, of } = exportsOf();
  const sentAs = (text: string) =>
    async function* (pieces: Pieces): Pieces {
      for await (const _ of pieces) yield Buffer.from(text);
    };
  const [fair, slow] = [await of("1", { form: sentAs(LONG_PIECE) }), await of(LONG_PIECE, { form: sentAs("1") })];
  for (const { reader } of [fair, slow]) await reader.read();
  clock.advance(59_000);
  expect(await slow.broken).toEqual(TOO_SLOWLY);
  expect((await fair.reader.read()).done).toBe(false);
});

test("the time in which an export is computed does not count against its reader", async () => {
  const { clock, of } = exportsOf();
  const slice = Promise.withResolvers<string[]>();
  const prompt = await of("1", { body: new LongBody([() => ["1"], () => slice.promise], ARRAY) });
  const silent = await of("1");
  const asked = prompt.reader.read();
  clock.advance(60_000);
  await silent.broken;
  slice.resolve(["2"]);
  expect((await asked).done).toBe(false);
});

test("a list has no time limit, since it holds only memory", async () => {
  const { clock, of } = exportsOf();
  const list = (await begun(new LongAnswers(PATIENT, clock), "key:1")).getReader();
  await list.read();
  const silent = await of("1");
  clock.advance(3_600_000);
  await silent.broken;
  expect((await list.read()).done).toBe(false);
});
