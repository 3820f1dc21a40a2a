import Type from "typebox";
import { oneOf, text } from "../../../core/schema.ts";
import { DECODED_VIN_ISSUES, type DecodedVin, MAX_VIN } from "../../../core/vin/decode.ts";
import type { Vins } from "../../../core/vin/vins.ts";
import { type Route, route } from "../protocol/route.ts";
import { type FieldsOf, nullable, recordSchema } from "./answers.ts";

const VinAnswer = recordSchema("DecodedVin", {
  vin: Type.String({ description: "The VIN in upper case." }),
  valid: Type.Boolean({
    description:
      "True if the format, the model year and the check digit are correct. A VIN from Europe needs neither of the last two.",
  }),
  check_digit: nullable(
    Type.Object(
      { ok: Type.Boolean(), expected: Type.String({ description: "`0` to `9`, or `X`." }) },
      {
        description:
          "`null` if the text does not have the format of a VIN, and for VINs from Europe, which need no check digit.",
      },
    ),
  ),
  year: nullable(
    Type.Integer({ description: "The model year. `null` if none is known, or if it is not known which of two it is." }),
  ),
  years: Type.Array(Type.Integer(), {
    description:
      "The model years that are possible, the latest first. The codes repeat after 30 years, and only VINs made for North America say which.",
    examples: [[2013, 1983]],
  }),
  make: nullable(
    Type.String({ description: "`null` if the manufacturer's code is unknown or stands for several makes." }),
  ),
  makes: Type.Array(Type.String(), { description: "All makes that are possible." }),
  issues: Type.Array(Type.Object({ code: oneOf(DECODED_VIN_ISSUES), message: Type.String() }), {
    description: "Messages for people about what is wrong.",
  }),
} satisfies FieldsOf<DecodedVin>);

/** The route that decodes a VIN (interface 6.1). */
export const vinRoutes = (vins: Vins): Route[] => [
  route({
    operation: "vehicle.vin",
    name: "decodeVin",
    method: "GET",
    path: "/api/vin/:vin",
    summary: "Decode a VIN",
    description:
      "Allowed for every key. Decodes the vehicle identification number itself, without reading vehicles or asking other services.",
    params: Type.Object({
      vin: text(1, MAX_VIN, { description: "The VIN, in upper or lower case.", examples: ["1HGBH41JXMN109186"] }),
    }),
    answer: { status: 200, schema: VinAnswer, description: "The decoded VIN" },
    errors: [],
    answers: "record",
    of: ({ principal, params }) => vins.decode(principal, params.vin),
  }),
];
