import { BarChart } from "@mantine/charts";
import { useMantineTheme } from "@mantine/core";
import { OUTCOMES, type Span } from "./usage-spans.ts";

interface RequestsChartProps {
  readonly spans: readonly Span[];
  readonly labelOf: (at: string) => string;
}

/** Requests over time as stacked bars. Hidden from screen readers: a table next to it has the numbers. */
const RequestsChart = ({ spans, labelOf }: RequestsChartProps) => {
  const { respectReducedMotion } = useMantineTheme();
  return (
    <BarChart
      h={240}
      type="stacked"
      data={spans.map((span) => ({ ...span, time: labelOf(span.at) }))}
      dataKey="time"
      series={OUTCOMES.map(([name, label, color]) => ({ name, label, color }))}
      withLegend
      barProps={{ isAnimationActive: !respectReducedMotion }}
      barChartProps={{ accessibilityLayer: false }}
      tickLine="none"
    />
  );
};

export default RequestsChart;
