import { AppShell, Burger, Group, NavLink, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type ReactNode, useEffect } from "react";
import { Link, useLocation } from "wouter";
import { useMay, useSession } from "../session/session.tsx";
import { SignOut } from "../session/sign-out.tsx";
import { ColorSchemeSwitch } from "./color-scheme.tsx";
import { SECTIONS } from "./sections.ts";

const MAIN = "content";

/** The frame of every page: the permitted sections, the signed-in user, the sign-out. */
export const Shell = ({ children }: { children: ReactNode }) => {
  const [opened, { toggle, close }] = useDisclosure(false);
  const [path] = useLocation();
  const { user, dealer } = useSession();
  const may = useMay();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link was followed
  useEffect(close, [path]);
  return (
    <AppShell
      header={{ height: 60 }}
      navbar={{ width: 220, breakpoint: "sm", collapsed: { mobile: !opened } }}
      padding="md"
      transitionDuration={0}
    >
      <a href={`#${MAIN}`} className="skip-link">
        Skip to the content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label="Navigation"
              aria-expanded={opened}
            />
            <Text fw={700} visibleFrom="xs">
              Vehicle Inventory
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <ColorSchemeSwitch />
            <SignOut />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label="Sections" className={opened ? "sections" : "sections closed"}>
        {SECTIONS.filter(({ needs }) => needs === null || may(needs)).map(({ to, label, icon: Icon }) => (
          <NavLink
            key={to}
            component={Link}
            href={to}
            label={label}
            leftSection={<Icon size={18} aria-hidden />}
            active={to === "/" ? path === "/" : path.startsWith(to)}
            {...((to === "/" ? path === "/" : path.startsWith(to)) && { "aria-current": "page" as const })}
          />
        ))}
        <Text size="sm" mt="auto" pt="md" className="signed-in">
          {user.name}
          <br />
          {dealer?.name ?? user.email}
        </Text>
      </AppShell.Navbar>
      <AppShell.Main id={MAIN} tabIndex={-1}>
        {children}
      </AppShell.Main>
    </AppShell>
  );
};
