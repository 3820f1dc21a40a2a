const WIDTH = 96;
const HEIGHT = 24;
const figures = new Intl.NumberFormat();

/** The last 24 hours of a key as a small chart, in words for screen readers. */
export const Sparkline = ({ hours }: { hours: readonly number[] | undefined }) => {
  if (hours === undefined) return null;
  const total = hours.reduce((sum, count) => sum + count, 0);
  const most = Math.max(1, ...hours);
  const step = WIDTH / Math.max(1, hours.length - 1);
  const points = hours.map(
    (count, at) => `${(at * step).toFixed(1)},${(HEIGHT - 1 - (count / most) * (HEIGHT - 2)).toFixed(1)}`,
  );
  const label = `${figures.format(total)} ${total === 1 ? "request" : "requests"} in the last 24 hours`;
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
      <polyline points={points.join(" ")} fill="none" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  );
};
