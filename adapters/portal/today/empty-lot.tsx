import { Group, Stack, Text } from "@mantine/core";
import { LinkButton } from "../page/link.tsx";
import { Section } from "../page/section.tsx";
import { Picture } from "../photos/picture.tsx";
import { useMay } from "../session/session.tsx";

/** Shown while nothing is on the lot, with what to do about it. */
export const EmptyLot = ({ dealerId }: { dealerId: number }) => {
  const mayChange = useMay()("vehicles:write");
  return (
    <Section title="Nothing is on the lot">
      <Stack align="center" gap="sm" py="lg">
        <Picture image={undefined} alt="" className="empty-lot" />
        <Text size="sm" ta="center">
          Once vehicles are on the lot, this page shows how old they are, which ones need you, and what to do next.
        </Text>
        {mayChange && (
          <Group gap="xs">
            <LinkButton to="/imports/new">Import a file</LinkButton>
            <LinkButton to={`/dealers/${dealerId}/vehicles/new`} variant="default">
              Add a vehicle
            </LinkButton>
          </Group>
        )}
      </Stack>
    </Section>
  );
};
