import { expect, test } from "bun:test";
import { EventBody, EventStreams } from "../../../../adapters/http/protocol/event-stream.ts";

const MOST = 500;
const MOST_OF_A_DEALER = 300;
const OF_A_CALLER = 5;

async function* silent(): AsyncGenerator<string, void> {
  await new Promise<void>(() => {});
  yield "";
}

const opening = () => {
  const streams = new EventStreams();
  const ends: AbortController[] = [];
  const begin = (subject: string, group: string | null = null) => {
    const gone = new AbortController();
    ends.push(gone);
    return streams.begin({
      subject,
      group,
      body: new EventBody(silent()),
      gone: gone.signal,
      failed: () => {},
      withoutDeadline: (work) => work(),
    });
  };
  return { streams, ends, begin };
};

test("a process has 500 streams open and no more, until one of them ends", () => {
  const { streams, ends, begin } = opening();
  for (let number = 0; number < MOST; number++)
    expect(begin(`key:${Math.floor(number / OF_A_CALLER)}`)).toBeInstanceOf(ReadableStream);
  expect([begin("key:new"), streams.count]).toEqual([null, MOST]);
  ends[7]?.abort();
  expect(streams.count).toBe(MOST - 1);
  // The caller that has all of its own may not take the place, another one may.
  expect(begin("key:0")).toBeNull();
  expect(begin("key:new")).toBeInstanceOf(ReadableStream);
});

test("the keys of one dealer have 300 streams open and no more, so that others find room, until one of them ends", () => {
  const { streams, ends, begin } = opening();
  const ofDealer = (number: number) => begin(`key:${Math.floor(number / OF_A_CALLER)}`, "dealer:7");
  for (let number = 0; number < MOST_OF_A_DEALER; number++) expect(ofDealer(number)).toBeInstanceOf(ReadableStream);
  expect([ofDealer(MOST_OF_A_DEALER), streams.count]).toEqual([null, MOST_OF_A_DEALER]);
  expect(begin("key:other", "dealer:8")).toBeInstanceOf(ReadableStream);
  ends[7]?.abort();
  expect(ofDealer(MOST_OF_A_DEALER)).toBeInstanceOf(ReadableStream);
});
