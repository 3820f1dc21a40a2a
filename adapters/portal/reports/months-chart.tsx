import { BarChart } from "@mantine/charts";
import { useMantineTheme } from "@mantine/core";

interface MonthsChartProps {
  readonly months: readonly { readonly month: string; readonly added: number; readonly sold: number }[];
  readonly height?: number;
}

/** Vehicles added and sold by month. Hidden from screen readers: a table next to it has the numbers. */
const MonthsChart = ({ months, height = 240 }: MonthsChartProps) => {
  const { respectReducedMotion } = useMantineTheme();
  return (
    <BarChart
      h={height}
      data={[...months]}
      dataKey="month"
      series={[
        { name: "added", label: "Added", color: "gray.5" },
        { name: "sold", label: "Sold", color: "teal.7" },
      ]}
      withLegend
      barProps={{ isAnimationActive: !respectReducedMotion, maxBarSize: 28 }}
      xAxisProps={{ interval: "equidistantPreserveStart" }}
      yAxisProps={{ allowDecimals: false }}
      barChartProps={{ accessibilityLayer: false }}
      tickLine="none"
    />
  );
};

export default MonthsChart;
