import { Alert } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";

/** A notice above the content. */
export const Notice = ({ title, children }: { title: string; children: ReactNode }) => (
  <Alert variant="default" title={title} icon={<IconAlertTriangle aria-hidden />} className="notice">
    {children}
  </Alert>
);
