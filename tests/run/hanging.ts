import { test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scratchFolder } from "../support/scratch-folder.ts";

/* A test that leaves behind whatever a test could, and does not end. Whoever starts it ends it: see `hanging-run.ts`. */

test("hangs", async () => {
  const folders = [mkdtempSync(join(tmpdir(), "left-")), scratchFolder("left-")];
  const { pid } = Bun.spawn(["sleep", "1000"], { stderr: "inherit" });
  await Bun.write(process.env.TEST_LEFT ?? "", JSON.stringify({ folders, pids: [process.pid, pid] }));
  await new Promise(() => {});
});
