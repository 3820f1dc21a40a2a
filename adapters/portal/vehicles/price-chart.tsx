import { useAmountFormats } from "../settings/amounts.tsx";
import { useTimeFormats } from "../times/times.tsx";

/** A price, and when it took effect. */
interface PricePoint {
  readonly at: string;
  readonly price: number;
}

interface PriceChartProps {
  /** In chronological order; at least one. */
  readonly points: readonly PricePoint[];
  /** When the last price ends. */
  readonly until: string;
}

const WIDTH = 1000;
const HEIGHT = 120;
/** The share of the width that a label needs. */
const LABEL_WIDTH = 0.13;
/** Space for labels above the highest price and below the lowest. */
const [TOP, BOTTOM] = [26, 24];

/** The price over time, as steps. A table next to it has the numbers. */
export const PriceChart = ({ points, until }: PriceChartProps) => {
  const { price } = useAmountFormats();
  const { day } = useTimeFormats();
  const begin = Date.parse(points[0]?.at ?? until);
  const length = Math.max(1, Date.parse(until) - begin);
  const prices = points.map((point) => point.price);
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const placeOf = (at: string): number => Math.min(1, Math.max(0, (Date.parse(at) - begin) / length));
  const heightOf = (amount: number): number =>
    TOP + (high === low ? 0.5 : (high - amount) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const steps = points.map((point) => ({ ...point, x: placeOf(point.at), y: heightOf(point.price) }));
  const line = steps
    .map(({ x, y }, place) => `${place === 0 ? "M" : "H"}${x * WIDTH}${place === 0 ? `,${y}` : `V${y}`}`)
    .join("")
    .concat(`H${WIDTH}`);
  // From the end: the current price always has its label, and an earlier one only if it fits before the next label.
  const labelled: typeof steps = [];
  for (const step of steps.toReversed()) {
    const next = labelled[0];
    const x = Math.min(step.x, 1 - LABEL_WIDTH);
    if (next === undefined || next.x - x >= LABEL_WIDTH || step.y < next.y - 18) labelled.unshift({ ...step, x });
  }
  const last = points.at(-1)?.price ?? 0;
  return (
    <div
      className="price-chart"
      role="img"
      aria-label={`Chart: the price from ${day(points[0]?.at ?? until)}, ${price(prices[0] ?? 0)}, to now, ${price(last)}`}
    >
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
        <path className="price-area" d={`${line}V${HEIGHT}H0Z`} />
        <path className="price-line" d={line} vectorEffect="non-scaling-stroke" />
      </svg>
      {labelled.map(({ at, x, y, price: amount }) => (
        <span key={at} className="price-label" style={{ left: `${x * 100}%`, top: `${y - 20}px` }}>
          {price(amount)}
        </span>
      ))}
      <div className="price-ends">
        <span>{day(points[0]?.at ?? until)}</span>
        <span>{day(until)}</span>
      </div>
    </div>
  );
};
