/** The part of an IPv6 address that a provider gives to one customer: the first four groups. */
const network = (address: string): string => {
  const [head = "", tail] = address.split("::");
  const front = head === "" ? [] : head.split(":");
  const back = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => "0");
  return `${[...front, ...zeros, ...back].slice(0, 4).join(":")}::/64`;
};

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const PORT = /^(\d+\.\d+\.\d+\.\d+):\d+$/;
/** More than the longest address takes with brackets and port, which is 53 characters; the rest of what is none is left out. */
const MAX_CHARACTERS = 60;

/** What the proxy so many hops away wrote into X-Forwarded-For; the first of the list where it is shorter. Reads no further. */
const forwardedBy = (list: string, hops: number): string => {
  let end = list.length;
  for (let hop = 1; ; hop++) {
    const comma = end === 0 ? -1 : list.lastIndexOf(",", end - 1);
    if (comma === -1 || hop >= hops) return list.slice(comma + 1, end).trim();
    end = comma;
  }
};

/**
 * The address a client asks from. Behind `hops` trusted proxies it is the one that the outermost of them saw, counted
 * from the right of X-Forwarded-For; what stands further left may be forged.
 */
export const clientAddress = (peer: string | null, forwardedFor: string | null, hops: number): string => {
  const sent = hops > 0 && forwardedFor !== null ? forwardedBy(forwardedFor, hops) : (peer ?? "");
  const address = sent.slice(0, MAX_CHARACTERS);
  const plain = MAPPED.exec(address)?.[1] ?? PORT.exec(address)?.[1] ?? address;
  return plain.includes(":") ? plain.replace(/^\[|\](:\d+)?$/g, "") : plain;
};

let lastPeer = "";
let lastPeerAddress = "";

/** The address of a connection. Most of a moment's requests come from one: a proxy's, or a busy client's. */
const peerAddress = (peer: string): string => {
  if (peer !== lastPeer) {
    lastPeerAddress = clientAddress(peer, null, 0);
    lastPeer = peer;
  }
  return lastPeerAddress;
};

/** The address of whoever sent a request, behind so many trusted proxies. */
export const addressOfRequest = (
  request: Request,
  peerOf: (request: Request) => string | null,
  hops: number,
): string => {
  const forwardedFor = hops === 0 ? null : request.headers.get("x-forwarded-for");
  // Asking for the connection's address is a system call: avoid it behind a proxy that names the client.
  return forwardedFor === null ? peerAddress(peerOf(request) ?? "") : clientAddress(null, forwardedFor, hops);
};

/** Who a client is for limits: its IPv4 address or IPv6 network. */
export const limitedAddress = (address: string): string => (address.includes(":") ? network(address) : address);
