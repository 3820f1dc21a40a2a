import Type from "typebox";
import type { Exports } from "../../../core/export/exports.ts";
import { VehicleExportQuery } from "../../../core/export/exports.ts";
import type { ExportFormat } from "../../../core/export/vehicle-file.ts";
import { Failure } from "../../../core/failure.ts";
import { ExportBody } from "../protocol/long-body.ts";
import { ok, type Route, route } from "../protocol/route.ts";
import { fileHeaders } from "./answers.ts";

/** What each form of a file is called on the web. */
const TYPES = {
  csv: "text/csv",
  tsv: "text/tab-separated-values",
  ndjson: "application/x-ndjson",
} as const satisfies Record<ExportFormat, string>;

/** Routes of exports. */
export const exportRoutes = (exports: Exports): Route[] => [
  route({
    operation: "vehicle.export",
    name: "exportVehicles",
    method: "GET",
    path: "/api/vehicles/export",
    summary: "Export vehicles as a file",
    description:
      "What the list finds with the same filters, newest first and without pages, all as it was when the export began. A table has a first line of names; its columns are those that an import takes, and `id` and `created_at`, with `dealer_id` for callers that are not bound to a dealer. In `ndjson` each line is a vehicle as the API answers it. Both have `images`: the addresses of the vehicle's images with a space between two. What is written, imported, changes nothing. A caller has one export at a time, for 15 minutes at most: then, or if the right to it ends, or if it is read at less than 64 KiB a second once 30 seconds of waiting are over, the connection is closed without the end of the file.",
    query: VehicleExportQuery,
    answer: {
      status: 200,
      schema: Type.String(),
      description: "The vehicles, one a line",
      file: { types: Object.values(TYPES), isCounted: false },
    },
    errors: ["search_not_ready"],
    handle({ principal, query }) {
      const exported = exports.vehicles(principal, query);
      if (exported instanceof Failure) return exported;
      const { format, heading, lines } = exported;
      return ok(new ExportBody(lines, { start: heading, end: "", separator: "" }), {
        headers: fileHeaders(TYPES[format], `vehicles.${format}`),
      });
    },
  }),
];
