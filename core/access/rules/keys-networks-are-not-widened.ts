import { escalation, type Failure } from "../../failure.ts";
import { areWithin } from "../networks.ts";
import type { Principal } from "../principal.ts";

/**
 * A key that may be used from some networks only hands out no secret that may be used from others. `null` allows, as
 * networks it stands for all addresses.
 */
export const keysNetworksAreNotWidened = (
  caller: Pick<Principal, "allowedNetworks">,
  wanted: readonly string[] | null,
): Failure | null =>
  caller.allowedNetworks === undefined || areWithin(wanted, caller.allowedNetworks)
    ? null
    : escalation("It could be used from networks from which your key cannot");
