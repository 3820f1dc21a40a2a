import Type from "typebox";
import { blockOf, MAX_NETWORK } from "../access/networks.ts";

const MAX_NETWORKS = 50;

/** The networks from which a key may be used, as clients send them. */
export const Networks = Type.Array(
  Type.Refine(
    Type.String({
      maxLength: MAX_NETWORK,
      fault:
        "must be a network such as 203.0.113.0/24 or 2001:db8::/32, without bits behind its length, and not all addresses",
    }),
    (text) => blockOf(text) !== null,
  ),
  {
    minItems: 1,
    maxItems: MAX_NETWORKS,
    fault: `must be a list of 1 to ${MAX_NETWORKS} networks`,
    examples: [["203.0.113.0/24", "2001:db8::/32"]],
  },
);
