import { Button, Menu } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type Query, readFile } from "../api/client.ts";
import { downloadCsv, downloadFile } from "../page/download-csv.ts";
import { notifyFailure } from "../page/notify.tsx";

type Form = "csv" | "xlsx";

const saveAs = async (form: Form, filters: Query): Promise<void> => {
  const query = form === "csv" ? { ...filters, spreadsheet: "true" } : { ...filters, format: form };
  const file = await readFile("/vehicles/export", query);
  if (form === "csv") downloadCsv([file], "vehicles.csv");
  else downloadFile([file], "vehicles.xlsx");
};

/** Saves all vehicles that match these filters as a table. */
export const ExportVehicles = ({ filters }: { filters: Query }) => {
  const saving = useMutation({
    mutationFn: (form: Form) => saveAs(form, filters),
    onError: (error) => notifyFailure(error, "The vehicles could not be read. Try again."),
  });
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button variant="default" loading={saving.isPending}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => saving.mutate("xlsx")}>Workbook (.xlsx)</Menu.Item>
        <Menu.Item onClick={() => saving.mutate("csv")}>Table (.csv)</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};
