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

/** The pinned Node of bench/node; where it could not be installed, the machine's own. */
export const NODE = installed();
