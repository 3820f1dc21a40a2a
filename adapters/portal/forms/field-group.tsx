import { SimpleGrid, Stack, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";

interface FieldGroupProps {
  readonly title: string;
  /** One sentence about the group. */
  readonly description?: string;
  /** Fields in two columns on wide windows. */
  readonly children?: ReactNode;
  /** Fields below them, across the full width. */
  readonly fullWidth?: ReactNode;
}

/** A group of fields in a card with a heading. */
export const FieldGroup = ({ title, description, children, fullWidth }: FieldGroupProps) => {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend cannot be laid out as a heading
    <div role="group" className="card field-group" aria-labelledby={id}>
      <div className="section-head">
        <div>
          <Title order={2} size="h4" id={id}>
            {title}
          </Title>
          {description !== undefined && <p className="group-explained">{description}</p>}
        </div>
      </div>
      <Stack gap="sm">
        {children !== undefined && children !== false && (
          <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="sm" verticalSpacing="sm">
            {children}
          </SimpleGrid>
        )}
        {fullWidth}
      </Stack>
    </div>
  );
};
