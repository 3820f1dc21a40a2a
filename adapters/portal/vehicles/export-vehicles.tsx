import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type Query, readFile } from "../api/client.ts";
import { sayWhyNot } from "../shell/done.ts";
import { keepTable } from "../shell/keep-table.ts";

/** Saves all vehicles that these filters find as a table. */
export const ExportVehicles = ({ filters }: { filters: Query }) => {
  const saving = useMutation({
    mutationFn: async () => {
      const file = await readFile("/vehicles/export", { ...filters, spreadsheet: "true" });
      keepTable([file], "vehicles.csv");
    },
    onError: (error) => sayWhyNot(error, "The vehicles could not be read. Try again."),
  });
  return (
    <Button variant="default" loading={saving.isPending} onClick={() => saving.mutate()}>
      Export
    </Button>
  );
};
