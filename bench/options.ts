import { parseArgs } from "node:util";
import { besideProgram, CONTENDERS, type Contender } from "./contenders.ts";
import type { Duration } from "./measure.ts";
import { WORKLOADS, type Workload } from "./workloads.ts";

/** What is compared, and for how long. */
export interface Options extends Duration {
  readonly rounds: number;
  readonly workloads: readonly Workload[];
  readonly contenders: readonly Contender[];
  /** True if the service is compared with itself on more data instead of with others. */
  readonly growth: boolean;
  /** True if the results replace the published ones. Only full measurements do. */
  readonly published: boolean;
  /** Whether a contender is measured on a workload. */
  readonly isMeasured: (contender: Contender, workload: Workload) => boolean;
}

/** The workloads of a quick comparison. The others consist of the same requests, or differ only by a filter. */
const QUICK_WORKLOADS = ["by-id", "page", "statistics", "not-modified", "update", "create"];

/** Two versions may make different tags, so that requests with tags are left out. */
const BEFORE_WORKLOADS = QUICK_WORKLOADS.filter((name) => name !== "not-modified");

const namesOf = (items: readonly { readonly name: string }[]): string => items.map(({ name }) => name).join(", ");

export const USAGE = `bun bench/run.ts [--quick] [--growth] [--rounds 5] [--seconds 0.6] [--only by-id,page] [--contenders service] [--before program]
  --quick       one short round in under two minutes, for a rough look: ${QUICK_WORKLOADS.join(", ")}
  --growth      the service on 10 000 vehicles and on 1 000 000, instead of beside others
  --only        workloads: ${namesOf(WORKLOADS)}
  --before      a program of the service with the same schema, as the only other contender: ${BEFORE_WORKLOADS.join(", ")}
  --contenders  besides their bases: ${namesOf(CONTENDERS)}
  Results go to bench/results; with --quick, --only, --before or --contenders to a temporary folder, which is printed at the end.`;

const QUICK = { rounds: "1", seconds: "0.4", only: QUICK_WORKLOADS.join(","), warmUpRequests: 1500 };
// Two starts of the same program differ by more than the parts of one measurement, so that many short rounds, each with
// new servers, tell more than few long ones.
const THOROUGH = { rounds: "5", seconds: "0.6", only: undefined, warmUpRequests: 40_000 };
const WARM_UP_SHARE = 0.5;
// In a shorter time, the runtime would not have compiled the code of a request.
const MIN_WARM_UP_MS = 700;

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

/** Reads the command line. Throws an Error with one line for the user. */
export const readOptions = (args: readonly string[]): Options => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: "boolean", default: false },
      growth: { type: "boolean", default: false },
      rounds: { type: "string" },
      seconds: { type: "string" },
      only: { type: "string" },
      contenders: { type: "string" },
      before: { type: "string" },
    },
  });
  const defaults = values.quick ? QUICK : THOROUGH;
  const measuredMs = positive("seconds", values.seconds ?? defaults.seconds) * 1000;
  const { before } = values;
  const chosen = before === undefined ? named("contenders", CONTENDERS, values.contenders) : besideProgram(before);
  // A contender can only be compared if its base is measured too.
  const bases = new Set(chosen.map(({ base }) => base));
  const isNamed = [values.only, values.contenders, before].some((option) => option !== undefined);
  const isMeasured: Options["isMeasured"] = ({ isCompared }, { name }) => isNamed || (isCompared?.(name) ?? true);
  const workloads = named(
    "only",
    WORKLOADS,
    values.only ?? (before === undefined ? defaults.only : BEFORE_WORKLOADS.join()),
  );
  const contenders =
    before === undefined
      ? CONTENDERS.filter((contender) => bases.has(contender.name) || chosen.includes(contender))
      : chosen;
  return {
    rounds: positive("rounds", values.rounds ?? defaults.rounds),
    measuredMs,
    warmUpMs: Math.max(MIN_WARM_UP_MS, measuredMs * WARM_UP_SHARE),
    warmUpRequests: defaults.warmUpRequests,
    workloads,
    contenders: contenders.filter((contender) => workloads.some((workload) => isMeasured(contender, workload))),
    growth: values.growth,
    published: !isNamed && !values.quick,
    isMeasured,
  };
};
