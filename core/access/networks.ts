import { isClientWithin, isPartOf, type Network, networkOf } from "../egress/networks.ts";

/** The maximum length of a text that names a network. */
export const MAX_NETWORK = 50;

/** The network that a text with a length names; `null` for others, and for all addresses at once. */
export const blockOf = (text: string): Network | null => {
  const network = text.length <= MAX_NETWORK && text.includes("/") ? networkOf(text) : null;
  return network === null || network.bits === 0 ? null : network;
};

const known = new WeakMap<readonly string[], readonly Network[]>();

const blocksOf = (texts: readonly string[]): readonly Network[] => {
  const made = known.get(texts) ?? texts.flatMap((text) => blockOf(text) ?? []);
  known.set(texts, made);
  return made;
};

/** True if a key with these networks may be used from this address. */
export const allowsAddress = (networks: readonly string[], address: string): boolean =>
  isClientWithin(address, blocksOf(networks));

/** True if every address of `wanted` is one of `held`. `null` stands for all addresses. */
export const areWithin = (wanted: readonly string[] | null, held: readonly string[]): boolean =>
  wanted !== null && blocksOf(wanted).every((one) => blocksOf(held).some((outer) => isPartOf(one, outer)));
