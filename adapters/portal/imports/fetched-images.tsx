import { Button, Progress, Text } from "@mantine/core";
import type { FetchedImages, Import } from "../../../core/imports/import.ts";
import { formatCount, formatNumber } from "../page/figures.tsx";
import { Section } from "../page/section.tsx";
import { useCancel } from "./import-actions.tsx";
import { isFetching } from "./import-words.ts";

const ALL_PERCENT = 100;

const inWords = ({ waiting, fetched, failed, problem }: FetchedImages): string => {
  const done = `${formatCount(fetched, "photo")} fetched`;
  const notFetched = failed === 0 ? "" : `, ${formatNumber(failed)} not (the rows say why)`;
  if (problem !== null) return `${done}${notFetched}. The others stay addresses: ${problem}.`;
  return waiting === 0 ? `${done}${notFetched}.` : `${done}${notFetched}, ${formatNumber(waiting)} to go.`;
};

/** How far the photos of a file are fetched. While they are, this can be stopped. */
export const FetchedPhotos = ({ record, images }: { record: Import; images: FetchedImages }) => {
  const stop = useCancel(record);
  const { waiting, fetched, failed } = images;
  const total = waiting + fetched + failed;
  if (total === 0 && images.problem === null) return null;
  return (
    <Section title="Photos">
      {isFetching(record) && (
        <Progress.Root>
          <Progress.Section
            value={Math.floor(((fetched + failed) / total) * ALL_PERCENT)}
            aria-label="Photos that are fetched"
          />
        </Progress.Root>
      )}
      <Text size="sm" role="status">
        {inWords(images)}
      </Text>
      {isFetching(record) && record.state === "completed" && (
        <div>
          <Button variant="default" size="xs" loading={stop.isPending} onClick={() => stop.mutate()}>
            Fetch no more
          </Button>
        </div>
      )}
    </Section>
  );
};
