import { Paper, Text } from "@mantine/core";

const figures = new Intl.NumberFormat();

/** A number with its label. */
export const Tile = ({ label, value }: { label: string; value: number | string }) => (
  <Paper withBorder p="md" radius="md">
    <Text size="sm">{label}</Text>
    <Text fz={22} fw={700} className="tile-value">
      {typeof value === "number" ? figures.format(value) : value}
    </Text>
  </Paper>
);
