import type BetterSqlite3 from "better-sqlite3";

/**
 * better-sqlite3 with the native addon for this platform. The module of each platform is written out, because only then
 * the addon is embedded into a compiled program. The compiler leaves out the other platforms.
 */
export const Sqlite: typeof BetterSqlite3 =
  process.platform === "linux" && process.arch === "x64"
    ? require("better-sqlite3/linux-x64")
    : process.platform === "linux" && process.arch === "arm64"
      ? require("better-sqlite3/linux-arm64")
      : process.platform === "darwin" && process.arch === "arm64"
        ? require("better-sqlite3/darwin-arm64")
        : process.platform === "darwin" && process.arch === "x64"
          ? require("better-sqlite3/darwin-x64")
          : require("better-sqlite3/win32-x64");
