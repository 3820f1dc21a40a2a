import { expect, test } from "bun:test";
import pino from "pino";
import { searchLog } from "../../app/search-log.ts";
import type { SearchProgress } from "../../core/search/progress.ts";

/** The messages about these steps, as `percent message`. */
const messagesAbout = (...steps: readonly SearchProgress[]): string[] => {
  const lines: string[] = [];
  const events = pino({}, { write: (line: string) => void lines.push(line) });
  const { progress } = searchLog(events, () => {});
  for (const step of steps) progress(step);
  return lines.map((line) => {
    const { percent = "", msg } = JSON.parse(line);
    return `${percent} ${msg}`.trim();
  });
};
const filling = (percent: number): SearchProgress => ({ state: "filling", percent });
const READY: SearchProgress = { state: "ready", percent: 100 };

test("a start that finds all words made says nothing about them", () => {
  expect(messagesAbout(READY)).toEqual([]);
});

test("words that are missing are told of at the start, at every tenth and at the end", () => {
  expect(messagesAbout(filling(0), filling(0), filling(9), filling(11), filling(19), filling(20), READY)).toEqual([
    "0 words of vehicles are made",
    "11 words of vehicles are made",
    "20 words of vehicles are made",
    "100 the words of all vehicles are made",
  ]);
});

test("words that are made in one step are told of, too", () => {
  expect(messagesAbout(filling(0), READY)).toEqual([
    "0 words of vehicles are made",
    "100 the words of all vehicles are made",
  ]);
});

test("a service without words says so", () => {
  expect(messagesAbout({ state: "off", percent: 0 })).toEqual(["search is off: no words of vehicles are kept"]);
});
