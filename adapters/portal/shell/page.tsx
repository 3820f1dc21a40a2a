import { Group, Stack, Title } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { useLocation } from "wouter";

interface PageProps {
  readonly title: string;
  /** Actions beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

let isFirst = true;

/** A page with its title as document title and heading; after navigation the heading has the focus. */
export const Page = ({ title, actions, children }: PageProps) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const [path] = useLocation();
  useEffect(() => {
    document.title = `${title} · Vehicle Inventory`;
  }, [title]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each path, not for each title
  useEffect(() => {
    // On the first page the browser places the focus.
    if (!isFirst) heading.current?.focus();
    isFirst = false;
  }, [path]);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="center">
        <Title order={1} size="h2" ref={heading} tabIndex={-1} className="page-title">
          {title}
        </Title>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
};
