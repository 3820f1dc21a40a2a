import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type Query, readFile } from "../api/client.ts";
import { downloadCsv } from "../page/download-csv.ts";
import { notifyFailure } from "../page/notify.ts";

/** Saves all entries that match these filters as a table. */
export const ExportButton = ({ filters }: { filters: Query }) => {
  const saving = useMutation({
    mutationFn: async () => {
      const file = await readFile("/audit/export", filters);
      downloadCsv([file], "audit.csv");
    },
    onError: (error) => notifyFailure(error, "The file could not be read. Try again."),
  });
  return (
    <Button variant="default" loading={saving.isPending} onClick={() => saving.mutate()}>
      Export
    </Button>
  );
};
