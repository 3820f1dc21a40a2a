import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { csvLine } from "../../../core/csv.ts";
import { VEHICLE_FIELDS, type VehicleField } from "../../../core/vehicles/fields.ts";
import { ApiError, type Listed, type Query, readList } from "../api/client.ts";
import { sayDone } from "../shell/done.ts";
import { counted, inFigures } from "../shell/figures.tsx";
import { keepTable } from "../shell/keep-table.ts";
import type { ListedVehicle } from "./vehicle-columns.tsx";

/** The most vehicles of a file, and how many are read at a time. */
const MOST = 10_000;
const PAGE = 1000;

const FIELDS = Object.keys(VEHICLE_FIELDS) as VehicleField[];
const HEAD = ["id", "dealer_id", "dealer_name", ...FIELDS.slice(2)];

const lineOf = (vehicle: ListedVehicle): string =>
  csvLine([
    vehicle.id,
    vehicle.dealer_id,
    vehicle.dealer_name ?? null,
    ...FIELDS.slice(2).map((field) => vehicle[field]),
  ]);

/** Reads what the list shows, page by page; each page goes on exactly where the one before ended. */
const readAll = async (
  path: string,
  query: Query,
): Promise<{ readonly lines: readonly string[]; readonly total: number }> => {
  const lines: string[] = [];
  let total = 0;
  let cursor: string | null = "";
  while (cursor !== null && lines.length < MOST) {
    const page: Listed<ListedVehicle> = await readList<ListedVehicle>(path, {
      ...query,
      include: "names",
      limit: PAGE,
      cursor,
    });
    if (cursor === "") ({ total } = page);
    lines.push(...page.items.map(lineOf));
    cursor = page.next === null ? null : new URLSearchParams(page.next).get("cursor");
  }
  return { lines: lines.slice(0, MOST), total };
};

/** Saves the vehicles that the list shows as a table, and says so if those are not all. */
export const ExportVehicles = ({ path, query }: { path: string; query: Query }) => {
  const saving = useMutation({
    mutationFn: async () => {
      const { lines, total } = await readAll(path, query);
      keepTable([csvLine(HEAD), ...lines], "vehicles.csv");
      sayDone(
        total > lines.length
          ? `The file has the first ${inFigures(lines.length)} of ${counted(total, "vehicle")}. For the others, narrow the list.`
          : `The file has ${counted(lines.length, "vehicle")}.`,
      );
    },
    onError: (error) =>
      sayDone(error instanceof ApiError ? error.sentence : "The vehicles could not be read. Try again."),
  });
  return (
    <Button variant="default" loading={saving.isPending} onClick={() => saving.mutate()}>
      Export
    </Button>
  );
};
