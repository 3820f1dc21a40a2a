import { expect, test } from "bun:test";
import { EventBody, EventStreams } from "../../../../adapters/http/protocol/event-stream.ts";

const MOST = 500;
const OF_A_CALLER = 5;

async function* silent(): AsyncGenerator<string, void> {
  await new Promise<void>(() => {});
  yield "";
}

test("a process has 500 streams open and no more, until one of them ends", () => {
  const streams = new EventStreams();
  const ends: AbortController[] = [];
  const begin = (subject: string) => {
    const gone = new AbortController();
    ends.push(gone);
    return streams.begin({
      subject,
      body: new EventBody(silent()),
      gone: gone.signal,
      failed: () => {},
      withoutDeadline: (work) => work(),
    });
  };
  for (let number = 0; number < MOST; number++)
    expect(begin(`key:${Math.floor(number / OF_A_CALLER)}`)).toBeInstanceOf(ReadableStream);
  expect([begin("key:new"), streams.count]).toEqual([null, MOST]);
  ends[7]?.abort();
  expect(streams.count).toBe(MOST - 1);
  // The caller that has all of its own may not take the place, another one may.
  expect(begin("key:0")).toBeNull();
  expect(begin("key:new")).toBeInstanceOf(ReadableStream);
});
