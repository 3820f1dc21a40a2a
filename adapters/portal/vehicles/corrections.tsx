import { Button, Group, List, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { fieldInWords, valueInWords } from "../../../core/audit/field-words.ts";
import type { Correction } from "../../../core/imports/corrections.ts";
import { shortened } from "../../../core/text.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { change } from "../api/client.ts";
import { useRecord } from "../api/queries.ts";
import { notify, notifyFailure } from "../page/notify.tsx";
import { Section } from "../page/section.tsx";
import { useAmountFormats } from "../settings/amounts.tsx";
import { useTimeFormats } from "../times/times.tsx";

/** Longer values, such as descriptions and lists of images, are cut off. */
const MAX_LENGTH = 120;

const titled = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** The file that says something else, by the name that the dealer knows. */
const fileName = ({ source: { type, name } }: Correction): string => {
  if (name !== null) return `“${name}”`;
  return type === "uploads" ? "the file" : "a file";
};

const CorrectionLine = ({ vehicle, correction }: { vehicle: Vehicle; correction: Correction }) => {
  const { price, distance } = useAmountFormats();
  const { full } = useTimeFormats();
  const formats = { price, distance, moment: full, dealer: () => null };
  const { field, file, ours } = correction;
  const inWords = (value: unknown): string => shortened(valueInWords(field, value, formats), MAX_LENGTH);
  const title = titled(fieldInWords(field));
  const taking = useMutation({
    mutationFn: () => change("DELETE", `/vehicles/${vehicle.id}/corrections/${field}`),
    onSuccess: () => notify(`${title} is what the file says.`),
    onError: (error) => notifyFailure(error),
  });
  return (
    <List.Item className="wraps">
      <Text size="sm">
        <strong>{title}</strong> {inWords(ours)}: corrected here, {fileName(correction)} says {inWords(file)}
      </Text>
      <Group gap="xs">
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`Take the file's value of ${fieldInWords(field)}`}
          loading={taking.isPending}
          onClick={() => taking.mutate()}
        >
          Take the file's value
        </Button>
      </Group>
    </List.Item>
  );
};

/** The values of a vehicle that people corrected against its files, each with the way back; nothing if there are none. */
export const Corrections = ({ vehicle }: { vehicle: Vehicle }) => {
  const { data } = useRecord<{ readonly data: readonly Correction[] }>(`/vehicles/${vehicle.id}/corrections`);
  const corrections = data?.data ?? [];
  return (
    corrections.length > 0 && (
      <Section title="Corrected here">
        <Text size="sm">Imports leave these values as they are until the file says something new about them.</Text>
        <List size="sm" listStyleType="none" spacing="xs">
          {corrections.map((correction) => (
            <CorrectionLine key={correction.field} vehicle={vehicle} correction={correction} />
          ))}
        </List>
      </Section>
    )
  );
};
