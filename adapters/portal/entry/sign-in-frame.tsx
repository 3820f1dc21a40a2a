import { Center, Paper, Stack, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Brand } from "../page/brand.tsx";
import { useDocumentTitle } from "../settings/settings.tsx";

/** The frame of pages without a session. */
export const SignInFrame = ({ title, children }: { title: string; children: ReactNode }) => {
  useDocumentTitle(title);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p="lg" radius="md" w="100%" maw={420}>
        <Stack className="sign-in-frame">
          <div>
            <Brand />
            <Title order={1}>{title}</Title>
          </div>
          {children}
        </Stack>
      </Paper>
    </Center>
  );
};
