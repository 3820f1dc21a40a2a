import { Anchor, Button } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";

/** A link to another page of the portal. */
export const PageLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <Anchor component={Link} href={to} size="sm">
    {children}
  </Anchor>
);

/** A link that looks like a button. */
export const LinkButton = ({ to, children, variant }: { to: string; children: ReactNode; variant?: string }) => (
  <Button component={Link} href={to} variant={variant ?? "filled"}>
    {children}
  </Button>
);
