import { join } from "node:path";
import { madeFrom } from "../../client/making/make.ts";
import { ownDocument } from "./document.ts";

// `bun run client`: makes the files of the client that come from the OpenAPI document anew.
const CLIENT = join(import.meta.dir, "../../client");
for (const [file, text] of Object.entries(await madeFrom(await ownDocument())))
  await Bun.write(join(CLIENT, file), text);
