import { Badge } from "@mantine/core";
import type { ReactNode } from "react";

/** A state as a word with a coloured dot; the colour adds nothing that the word does not say. */
export const StateBadge = ({ color, children }: { color: string; children: ReactNode }) => (
  <Badge
    variant="default"
    tt="none"
    fw={500}
    leftSection={<span className="dot" style={{ background: `var(--mantine-color-${color}-6)` }} />}
  >
    {children}
  </Badge>
);
