import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { IconMoon, IconSun } from "@tabler/icons-react";

/** Switches between light and dark; the choice stays in this browser. */
export const ColorSchemeSwitch = () => {
  const { setColorScheme } = useMantineColorScheme();
  const next = useComputedColorScheme("light") === "dark" ? "light" : "dark";
  const Icon = next === "dark" ? IconMoon : IconSun;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={`Use the ${next} scheme`}
      onClick={() => setColorScheme(next)}
    >
      <Icon size={16} stroke={1.7} aria-hidden />
    </ActionIcon>
  );
};
