import { Alert } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";

interface NoticeProps {
  readonly title: string;
  /** True if it says why a form was refused: then it gets the focus. */
  readonly isRefusal?: boolean;
  readonly children: ReactNode;
}

/** A notice above the content. */
export const Notice = ({ title, isRefusal = false, children }: NoticeProps) => (
  <Alert
    variant="default"
    title={title}
    icon={<IconAlertTriangle aria-hidden />}
    className="notice"
    {...(isRefusal && { tabIndex: -1, "data-refusal": true })}
  >
    {children}
  </Alert>
);
