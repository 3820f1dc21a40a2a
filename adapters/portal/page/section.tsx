import { Stack, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";

interface SectionProps {
  readonly title: string;
  /** One action or a state, next to the heading. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page in a card with a heading. */
export const Section = ({ title, actions, children }: SectionProps) => {
  const id = useId();
  return (
    <section className="card section" aria-labelledby={id}>
      <div className="section-head">
        <Title order={2} size="h4" id={id}>
          {title}
        </Title>
        {actions}
      </div>
      <Stack gap="sm">{children}</Stack>
    </section>
  );
};
