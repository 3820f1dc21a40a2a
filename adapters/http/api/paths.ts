import Type from "typebox";
import { ACTIONS, RESOURCES } from "../../../core/access/permissions.ts";
import { id, oneOf } from "../../../core/schema.ts";

const numberOf = (record: string, example = 1) =>
  id({ description: `The number of the ${record}.`, examples: [example] });
// The service creates key 1 when it first starts; examples should leave that one alone.
const keyId = numberOf("key", 2);

/** Path parameters of one vehicle. */
export const ByVehicle = Type.Object({ id: numberOf("vehicle") });

/** Path parameters of one dealer. */
export const ByDealer = Type.Object({ id: numberOf("dealer") });

/** Path parameters of one key. */
export const ByKey = Type.Object({ id: keyId });

/** Path parameters of one user. */
export const ByUser = Type.Object({ id: numberOf("user") });

/** Path parameters of one image of a vehicle. */
export const ByImage = Type.Object({ id: numberOf("vehicle"), image_id: numberOf("image") });

/** Path parameters of one permission of a key. */
export const ByPermission = Type.Object({
  id: keyId,
  resource: oneOf(RESOURCES, { description: "What the permission is about.", examples: ["vehicles"] }),
  action: oneOf(ACTIONS, { description: "What it allows.", examples: ["read"] }),
});
