import Type from "typebox";
import { ACTIONS, RESOURCES } from "../permissions.ts";
import { oneOf } from "../schema.ts";

/** A permission in requests and answers. */
const PermissionPair = Type.Object(
  { resource: oneOf(RESOURCES), action: oneOf(ACTIONS) },
  { title: "Permission", additionalProperties: false },
);

/** A list of permissions as clients send it. Duplicates are ignored. */
export const PermissionPairs = Type.Array(PermissionPair, {
  maxItems: 100,
  fault: `must be a list of {"resource", "action"} pairs: resources ${RESOURCES.join(", ")}; actions ${ACTIONS.join(", ")}`,
  examples: [[{ resource: "vehicles", action: "read" }]],
});
