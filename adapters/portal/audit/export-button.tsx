import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { ApiError, type Query, readFile } from "../api/client.ts";
import { sayDone } from "../shell/done.ts";

/** Gives a file to the browser to keep. */
const keep = (file: Blob, name: string): void => {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
};

/** Saves the entries that these filters find as a table. */
export const ExportButton = ({ filters }: { filters: Query }) => {
  const saving = useMutation({
    // Without the mark at the beginning, spreadsheets take the letters for those of another encoding.
    mutationFn: async () => keep(new Blob(["\ufeff", await readFile("/audit/export", filters)]), "audit.csv"),
    onError: (error) => sayDone(error instanceof ApiError ? error.sentence : "The file could not be read. Try again."),
  });
  return (
    <Button variant="default" loading={saving.isPending} onClick={() => saving.mutate()}>
      Export
    </Button>
  );
};
