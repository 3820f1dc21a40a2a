import Type from "typebox";
import { oneOf } from "../schema.ts";
import { ACTIONS, RESOURCES } from "./permissions.ts";

/** A permission as it comes in and goes out. */
const PermissionPair = Type.Object(
  { resource: oneOf(RESOURCES), action: oneOf(ACTIONS) },
  { title: "Permission", additionalProperties: false },
);

/** A list of permissions as clients send it; the same pair twice counts once. */
export const PermissionPairs = Type.Array(PermissionPair, {
  maxItems: 100,
  fault: `must be a list of {"resource", "action"} pairs: resources ${RESOURCES.join(", ")}; actions ${ACTIONS.join(", ")}`,
  examples: [[{ resource: "vehicles", action: "read" }]],
});
