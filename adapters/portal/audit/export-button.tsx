import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type Query, readFile } from "../api/client.ts";
import { sayWhyNot } from "../shell/done.ts";
import { keepTable } from "../shell/keep-table.ts";

/** Saves all entries that these filters find as a table. */
export const ExportButton = ({ filters }: { filters: Query }) => {
  const saving = useMutation({
    mutationFn: async () => {
      const file = await readFile("/audit/export", filters);
      keepTable([file], "audit.csv");
    },
    onError: (error) => sayWhyNot(error, "The file could not be read. Try again."),
  });
  return (
    <Button variant="default" loading={saving.isPending} onClick={() => saving.mutate()}>
      Export
    </Button>
  );
};
