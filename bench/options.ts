import { parseArgs } from "node:util";
import { BASE, CONTENDERS, type Contender } from "./contenders.ts";
import type { Duration } from "./measure.ts";
import { WORKLOADS, type Workload } from "./workloads.ts";

/** What to compare, and how long. */
export interface Options extends Duration {
  readonly rounds: number;
  readonly workloads: readonly Workload[];
  readonly contenders: readonly Contender[];
}

export const USAGE = `bun bench/run.ts [--quick] [--rounds 3] [--seconds 4] [--only by-id,page] [--contenders service]
  --quick       one short round, in under two minutes; for a rough look
  --only        workloads: ${WORKLOADS.map(({ name }) => name).join(", ")}
  --contenders  besides the base: ${CONTENDERS.map(({ name }) => name).join(", ")}`;

const QUICK = { rounds: "1", seconds: "1.5" };
const THOROUGH = { rounds: "3", seconds: "4" };
const WARM_UP_SHARE = 0.5;
const MIN_WARM_UP_MS = 500;

const positive = (option: string, text: string): number => {
  const number = Number(text);
  if (!(number > 0)) throw new Error(`--${option} must be a number above 0`);
  return number;
};

const named = <Item extends { readonly name: string }>(
  option: string,
  items: readonly Item[],
  list?: string,
): Item[] => {
  if (list === undefined) return [...items];
  const names = list.split(",");
  const unknown = names.find((name) => !items.some((item) => item.name === name));
  if (unknown !== undefined) throw new Error(`--${option}: there is no ${unknown}`);
  return items.filter(({ name }) => names.includes(name));
};

/** Reads the command line; throws an Error with a line for the user. */
export const readOptions = (args: readonly string[]): Options => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: "boolean", default: false },
      rounds: { type: "string" },
      seconds: { type: "string" },
      only: { type: "string" },
      contenders: { type: "string" },
    },
  });
  const defaults = values.quick ? QUICK : THOROUGH;
  const measuredMs = positive("seconds", values.seconds ?? defaults.seconds) * 1000;
  const chosen = named("contenders", CONTENDERS, values.contenders);
  return {
    rounds: positive("rounds", values.rounds ?? defaults.rounds),
    measuredMs,
    warmUpMs: Math.max(MIN_WARM_UP_MS, measuredMs * WARM_UP_SHARE),
    workloads: named("only", WORKLOADS, values.only),
    // Without the base there is nothing to compare with.
    contenders: CONTENDERS.filter((contender) => contender.name === BASE || chosen.includes(contender)),
  };
};
