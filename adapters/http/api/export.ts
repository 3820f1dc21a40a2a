import Type from "typebox";
import type { Exports } from "../../../core/export/exports.ts";
import { VehicleExportQuery } from "../../../core/export/exports.ts";
import { Failure } from "../../../core/failure.ts";
import { type Route, route } from "../protocol/route.ts";
import { EXPORT_END_NOTE, EXPORT_TYPES, exportAnswer } from "./export-answer.ts";

/** Routes of exports. */
export const exportRoutes = (exports: Exports): Route[] => [
  route({
    operation: "vehicle.export",
    name: "exportVehicles",
    method: "GET",
    path: "/api/vehicles/export",
    summary: "Export vehicles as a file",
    description: `What the list finds with the same filters, newest first and without pages, all as it was when the export began. A table has a first line of names; its columns are those that an import takes, and \`id\` and \`created_at\`, with \`dealer_id\` for callers that are not bound to a dealer. In \`ndjson\` each line is a vehicle as the API answers it. Both have \`images\`: the addresses of the vehicle's images with a space between two. What is written, imported, changes nothing. ${EXPORT_END_NOTE}`,
    query: VehicleExportQuery,
    answer: {
      status: 200,
      schema: Type.String(),
      description: "The vehicles, one a line",
      file: { types: EXPORT_TYPES, isCounted: false },
    },
    errors: ["search_not_ready"],
    handle({ principal, query }) {
      const exported = exports.vehicles(principal, query);
      return exported instanceof Failure ? exported : exportAnswer("vehicles", exported);
    },
  }),
];
