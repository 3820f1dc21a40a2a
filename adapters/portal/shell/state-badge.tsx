import { Badge } from "@mantine/core";
import type { ReactNode } from "react";

/** What a state's colour stands for: it works, it waits for somebody, or it is over. */
export type StateColor = "green" | "amber" | "grey";

interface StateBadgeProps {
  readonly color: StateColor;
  /** More about the state, for those who point at it. */
  readonly title?: string;
  readonly children: ReactNode;
}

/** A state as a word with a coloured dot; the colour adds nothing that the word does not say. Never shrinks. */
export const StateBadge = ({ color, title, children }: StateBadgeProps) => (
  <Badge
    {...(title !== undefined && { title })}
    className={`state ${color}`}
    variant="default"
    tt="none"
    fw={600}
    size="md"
    leftSection={<span className="dot" />}
  >
    {children}
  </Badge>
);
