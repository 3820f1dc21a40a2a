import type { PastSale } from "../../../core/advice/similar-sales.ts";
import { formatCount } from "../page/figures.tsx";
import { useAmountFormats } from "../settings/amounts.tsx";
import { ticksOf } from "./advice-words.ts";

interface SalesChartProps {
  readonly sales: readonly PastSale[];
  /** The vehicle in question. */
  readonly price: number;
  readonly days: number;
  /** The price that is thought about. */
  readonly wanted: number;
}

/** Space around the points, as a share of what they span. */
const MARGIN = 0.06;

const spanOf = (values: readonly number[]): readonly [low: number, high: number] => {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const margin = Math.max((high - low) * MARGIN, 1);
  return [low - margin, high + margin];
};

/** Sales by price and days, and the vehicle among them. A table next to it has the numbers. */
export const SalesChart = ({ sales, price, days, wanted }: SalesChartProps) => {
  const { price: inWords } = useAmountFormats();
  const [cheap, dear] = spanOf([price, wanted, ...sales.map((sale) => sale.price)]);
  const [, most] = spanOf([0, days, ...sales.map((sale) => sale.days)]);
  const left = (amount: number): string => `${((amount - cheap) / (dear - cheap)) * 100}%`;
  const bottom = (count: number): string => `${(count / most) * 100}%`;
  const isAtRight = price - cheap > (dear - cheap) / 2;
  const placed = (amount: number, count: number) => ({ left: left(amount), bottom: bottom(count) });
  return (
    <div
      className="sales-chart"
      role="img"
      aria-label={`Chart: ${formatCount(sales.length, "sale")} by price and days, and this vehicle at ${inWords(price)} after ${formatCount(days, "day")}`}
    >
      <div className="sales-plot">
        {ticksOf(0, most, 5).map((count) => (
          <span key={count} className="sales-days" style={{ bottom: bottom(count) }}>
            {count} d
          </span>
        ))}
        <span className="sales-wanted" style={{ left: left(wanted) }} />
        {sales.map((sale) => (
          <span
            key={sale.vehicle_id}
            className="sale-dot"
            style={placed(sale.price, sale.days)}
            title={`${inWords(sale.price)} in ${formatCount(sale.days, "day")}`}
          />
        ))}
        <span className="own-dot" style={placed(price, days)} title="This vehicle" />
        <span className={isAtRight ? "own-words at-left" : "own-words"} style={placed(price, days)}>
          now {days} d
        </span>
      </div>
      <div className="sales-prices">
        {ticksOf(cheap, dear, 3).map((amount) => (
          <span key={amount} style={{ left: left(amount) }}>
            {inWords(amount)}
          </span>
        ))}
      </div>
    </div>
  );
};
