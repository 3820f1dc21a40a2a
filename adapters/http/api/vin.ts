import Type from "typebox";
import { Failure } from "../../../core/failure.ts";
import { oneOf, text } from "../../../core/schema.ts";
import { DECODED_VIN_ISSUES, type DecodedVin, MAX_VIN } from "../../../core/vin/decode.ts";
import type { Vins } from "../../../core/vin/vins.ts";
import { ok, type Route, route } from "../protocol/route.ts";
import { type FieldsOf, nullable, recordSchema } from "./answers.ts";

const VinAnswer = recordSchema("DecodedVin", {
  vin: Type.String({ description: "In capitals." }),
  valid: Type.Boolean({ description: "Form, model year and check digit are right." }),
  check_digit: nullable(
    Type.Object(
      { ok: Type.Boolean(), expected: Type.String({ description: "`0` to `9`, or `X`." }) },
      { description: "`null` for what has not the form of a VIN." },
    ),
  ),
  year: nullable(Type.Integer({ description: "The model year." })),
  make: nullable(
    Type.String({ description: "`null` where the maker's code is unknown, or stands for several makes." }),
  ),
  makes: Type.Array(Type.String(), { description: "All makes that it may be." }),
  issues: Type.Array(Type.Object({ code: oneOf(DECODED_VIN_ISSUES), message: Type.String() }), {
    description: "What is wrong with it, in words for people.",
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
      "Open to every key: what a vehicle identification number says by itself. It looks at no vehicle and asks nobody else.",
    params: Type.Object({
      vin: text(1, MAX_VIN, { description: "The VIN, in any case.", examples: ["1HGBH41JXMN109186"] }),
    }),
    answer: { status: 200, schema: VinAnswer, description: "What the VIN says" },
    errors: [],
    handle({ principal, params }) {
      const decoded = vins.decode(principal, params.vin);
      return decoded instanceof Failure ? decoded : ok(decoded);
    },
  }),
];
