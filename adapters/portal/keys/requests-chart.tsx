import { BarChart } from "@mantine/charts";
import { useMantineTheme } from "@mantine/core";
import { useLocation } from "wouter";
import { OUTCOMES, type Span } from "./usage-spans.ts";

interface RequestsChartProps {
  readonly spans: readonly Span[];
  readonly labelOf: (at: string) => string;
  /** The page that a bar of an outcome leads to. The legend has the same links for everybody. */
  readonly linkOf?: ((outcome: keyof Span) => string) | undefined;
}

/** Requests over time as stacked bars. Hidden from screen readers: a table next to it has the numbers. */
const RequestsChart = ({ spans, labelOf, linkOf }: RequestsChartProps) => {
  const { respectReducedMotion } = useMantineTheme();
  const [, navigate] = useLocation();
  return (
    <BarChart
      h={240}
      type="stacked"
      data={spans.map((span) => ({ ...span, time: labelOf(span.at) }))}
      dataKey="time"
      series={OUTCOMES.map(([name, label, color]) => ({ name, label, color }))}
      barProps={({ name }) => ({
        isAnimationActive: !respectReducedMotion,
        ...(linkOf && { className: "bar-link", onClick: () => navigate(linkOf(name as keyof Span)) }),
      })}
      barChartProps={{ accessibilityLayer: false }}
      xAxisProps={{ interval: "equidistantPreserveStart" }}
      yAxisProps={{ allowDecimals: false }}
      tickLine="none"
    />
  );
};

export default RequestsChart;
