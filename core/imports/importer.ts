import type { Principal } from "../access/principal.ts";
import { changeIdOfImport } from "../changes/named-change.ts";
import type { StoredImport } from "./import-repository.ts";

/** Whoever makes the changes of an import: its maker with their present rights, named with the import. */
export const importerOf = ({ id, by, begunAt }: StoredImport, present: Principal): Principal => ({
  ...present,
  ...by,
  importId: id,
  change: { id: changeIdOfImport(id), kind: "import", at: begunAt },
});
