import { formatCount, formatNumber } from "../page/figures.tsx";

const WIDTH = 96;
const HEIGHT = 24;
const GAP = 1;

interface SparklineProps {
  /** The requests of each hour, and those of them that were refused. */
  readonly line: { readonly hours: readonly number[]; readonly refused: readonly number[] } | undefined;
  /** The most requests of an hour among all charts beside this one, so that they have one scale. */
  readonly most: number;
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** The last 24 hours of a key as a small chart of stacked bars, in words for screen readers. */
export const Sparkline = ({ line, most }: SparklineProps) => {
  if (line === undefined) return null;
  const refused = sumOf(line.refused);
  const label = `${formatCount(sumOf(line.hours), "request")} in the last 24 hours${refused === 0 ? "" : `, ${formatNumber(refused)} refused`}`;
  const step = WIDTH / Math.max(1, line.hours.length);
  const heightOf = (count: number): number => (count === 0 ? 0 : Math.max(1, (count / Math.max(1, most)) * HEIGHT));
  return (
    <svg
      className="sparkline"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      {line.hours.map((count, at) => {
        const ofRefused = heightOf(line.refused[at] ?? 0);
        const all = Math.max(heightOf(count), ofRefused);
        const bar = { x: at * step, width: step - GAP };
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the hours never change their order
          <g key={at}>
            <rect className="bar-served" {...bar} y={HEIGHT - all} height={all - ofRefused} />
            <rect className="bar-refused" {...bar} y={HEIGHT - ofRefused} height={ofRefused} />
          </g>
        );
      })}
    </svg>
  );
};
