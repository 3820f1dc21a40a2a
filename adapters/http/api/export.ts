import Type from "typebox";
import type { Exports } from "../../../core/export/exports.ts";
import { VehicleExportQuery } from "../../../core/export/exports.ts";
import { Failure } from "../../../core/failure.ts";
import { type Route, route } from "../protocol/route.ts";
import { EXPORT_END_NOTE, exportAnswer, VEHICLE_TYPES } from "./export-answer.ts";

/** Routes of exports. */
export const exportRoutes = (exports: Exports): Route[] => [
  route({
    operation: "vehicle.export",
    name: "exportVehicles",
    method: "GET",
    path: "/api/vehicles/export",
    summary: "Export vehicles as a file",
    description: `All vehicles that the list finds with the same filters, newest first, as they were when the export began. The first line of a table has the names of the columns: those that an import accepts, \`id\` and \`created_at\`, and \`dealer_id\` for callers that are not bound to a dealer. In \`ndjson\`, each line is a vehicle as the API answers it. Both have \`images\`, the addresses of the vehicle's images separated by spaces. Importing an exported file changes nothing. In \`xlsx\`, the table is the sheet of a workbook: texts are texts and never calculated, dates are dates, and the heading is frozen. It has at most 1 048 575 vehicles, and an empty cell for images that take more than 32 767 characters. ${EXPORT_END_NOTE}`,
    query: VehicleExportQuery,
    answer: {
      status: 200,
      schema: Type.String(),
      description: "The vehicles, one on each line",
      file: {
        types: VEHICLE_TYPES,
        isCounted: false,
        example: "id,make,model,year,price\n1,Toyota,Camry,2024,25999.99\n",
      },
    },
    errors: ["search_not_ready"],
    handle({ principal, query }) {
      const exported = exports.vehicles(principal, query);
      return exported instanceof Failure ? exported : exportAnswer("vehicles", exported);
    },
  }),
];
