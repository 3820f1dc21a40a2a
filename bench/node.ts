import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGES = dirname(fileURLToPath(import.meta.resolve("bench-node/package.json")));

const installed = (): string => {
  try {
    return Bun.resolveSync(`node-linux-${process.arch}/bin/node`, PACKAGES);
  } catch {
    return "node";
  }
};

/** The pinned Node of bench/node, or the machine's own if the pinned one could not be installed. */
export const NODE = installed();
