import { Badge } from "@mantine/core";
import type { ReactNode } from "react";

/** Green: it works. Amber: somebody must act. Grey: it is over. */
export type StateColor = "green" | "amber" | "grey";

interface StateBadgeProps {
  readonly color: StateColor;
  /** An explanation as a tooltip. */
  readonly title?: string;
  readonly children: ReactNode;
}

/** A state as a word with a coloured dot. The word alone says everything. Never shrinks. */
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
