import { Center, Paper, Stack, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { useTabName } from "../settings/settings.tsx";
import { Mark } from "../shell/mark.tsx";

/** The frame of pages without a session. */
export const Entrance = ({ title, children }: { title: string; children: ReactNode }) => {
  useTabName(title);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p="lg" radius="md" w="100%" maw={420}>
        <Stack className="entrance">
          <div>
            <Mark />
            <Title order={1}>{title}</Title>
          </div>
          {children}
        </Stack>
      </Paper>
    </Center>
  );
};
