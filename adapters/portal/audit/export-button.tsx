import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { MOST_EXPORTED } from "../../../core/audit/most-exported.ts";
import { type Query, readFile } from "../api/client.ts";
import { sayDone, sayWhyNot } from "../shell/done.ts";
import { inFigures } from "../shell/figures.tsx";
import { keepTable } from "../shell/keep-table.ts";

/** Saves the entries that these filters find as a table, and says so if that is not all of them. */
export const ExportButton = ({ filters }: { filters: Query }) => {
  const saving = useMutation({
    mutationFn: async () => {
      const { file, total } = await readFile("/audit/export", filters);
      keepTable([file], "audit.csv");
      if (total > MOST_EXPORTED)
        sayDone(
          `The file has the newest ${inFigures(MOST_EXPORTED)} of ${inFigures(total)} entries. For older ones, choose an earlier date in Until.`,
        );
    },
    onError: (error) => sayWhyNot(error, "The file could not be read. Try again."),
  });
  return (
    <Button variant="default" loading={saving.isPending} onClick={() => saving.mutate()}>
      Export
    </Button>
  );
};
