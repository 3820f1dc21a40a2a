import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { IconMoon, IconSun } from "@tabler/icons-react";

/** Switches between light and dark; the choice stays in this browser. */
export const ColorSchemeSwitch = () => {
  const { setColorScheme } = useMantineColorScheme();
  const next = useComputedColorScheme("light") === "dark" ? "light" : "dark";
  const Icon = next === "dark" ? IconMoon : IconSun;
  return (
    <ActionIcon variant="default" size="lg" aria-label={`Use the ${next} scheme`} onClick={() => setColorScheme(next)}>
      <Icon size={18} aria-hidden />
    </ActionIcon>
  );
};
