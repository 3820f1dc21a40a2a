import { readFileSync } from "node:fs";

/** A closed connection whose number the system keeps for a while. */
const TIME_WAIT = "06";

/** How many ends of connections to or from this local port are not closed yet. */
export const connectionsOf = (port: number): number => {
  const number = port.toString(16).toUpperCase().padStart(4, "0");
  return readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, local, remote, state]) => state !== TIME_WAIT && [local, remote].some((end) => end?.endsWith(`:${number}`)),
    ).length;
};
