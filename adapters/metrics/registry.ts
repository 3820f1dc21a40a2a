/** One value of a metric, with its labels. */
export interface Sample {
  /** Never put an id, dealer, key, path or agent here: with unlimited values, the number of series is unlimited too. */
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  /** The suffix of the metric's name, for the parts of a histogram. */
  readonly suffix?: "_bucket" | "_sum" | "_count";
}

/** A present value, several samples, or `null` for none. */
type Reading = number | readonly Sample[] | null;

interface Family {
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly read: () => Reading;
}

/** The service's metrics. Values are read only when somebody asks for them. */
export interface Registry {
  /** A value that goes up and down. `name` ends with its unit. */
  gauge(name: string, help: string, read: () => Reading): void;
  /** A value that only increases. `name` ends with `_total`. */
  counter(name: string, help: string, read: () => Reading): void;
  histogram(name: string, help: string, read: () => readonly Sample[]): void;
  /** All metrics in Prometheus' text format. */
  text(): string;
}

/** The maximum number of all series, which protects the metrics storage. Normal use stays below it. */
const MAX_SERIES = 2000;
const NAME = /^[a-z][a-z0-9_]{0,99}$/;

const escaped = (value: string): string =>
  value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");

const numberText = (value: number): string => {
  if (Number.isNaN(value)) return "NaN";
  return Number.isFinite(value) ? String(value) : `${value < 0 ? "-" : "+"}Inf`;
};

const lineOf = (name: string, { labels, value, suffix }: Sample): string => {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${suffix ?? ""}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${numberText(value)}`;
};

/** If reading a metric fails, only that metric is left out. */
const samplesOf = (read: () => Reading): readonly Sample[] => {
  try {
    const reading = read();
    if (reading === null) return [];
    return typeof reading === "number" ? [{ labels: {}, value: reading }] : reading;
  } catch {
    return [];
  }
};

/** A registry without metrics. */
export const makeRegistry = (): Registry => {
  const families = new Map<string, Family>();
  const add = (family: Family): void => {
    if (!NAME.test(family.name) || families.has(family.name))
      throw new Error(`a metric cannot be called ${family.name}, or there is one already`);
    families.set(family.name, family);
  };
  return {
    gauge: (name, help, read) => add({ name, type: "gauge", help, read }),
    counter: (name, help, read) => add({ name, type: "counter", help, read }),
    histogram: (name, help, read) => add({ name, type: "histogram", help, read }),
    text() {
      const lines: string[] = [];
      let left = MAX_SERIES;
      for (const { name, type, help, read } of families.values()) {
        const samples = samplesOf(read);
        if (samples.length === 0 || samples.length > left) continue;
        left -= samples.length;
        lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
        for (const sample of samples) lines.push(lineOf(name, sample));
      }
      return `${lines.join("\n")}\n`;
    },
  };
};
