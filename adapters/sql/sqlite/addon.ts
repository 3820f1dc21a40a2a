import type BetterSqlite3 from "better-sqlite3";

/**
 * better-sqlite3 with the native addon of this platform. Each platform's module is named literally, because this is
 * what embeds the addon into a compiled program; the compiler drops the other platforms.
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
