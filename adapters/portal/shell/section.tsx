import { Group, Paper, Stack, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";

interface SectionProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page under a heading of its own. */
export const Section = ({ title, actions, children }: SectionProps) => {
  const id = useId();
  return (
    <Paper component="section" withBorder p="md" radius="md" aria-labelledby={id}>
      <Stack gap="md">
        <Group justify="space-between">
          <Title order={2} size="h4" id={id}>
            {title}
          </Title>
          {actions}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
};
