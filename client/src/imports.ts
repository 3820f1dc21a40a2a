import type { Call } from "./call.ts";
import { InventoryError } from "./errors.ts";
import { type FileFacts, namedBlob, nameOf, type Uploaded } from "./files.ts";
import type { CreateImportOptions, Import } from "./made/records.ts";
import { ImportsOperations } from "./made/resources.ts";
import type { CallOptions, ChangeOptions } from "./options.ts";
import { pause } from "./waiting.ts";

/** How a file is imported: `name` and `type` are the file's, if it does not have them itself. */
export interface RunOptions extends Omit<CreateImportOptions, "columns">, FileFacts {
  /** The field for each heading that the service does not know; `null` for a column that is not read. */
  readonly columns?: Readonly<Record<string, string | null>>;
}

/** An import that the service has taken: its record, and then its result. */
export interface RunningImport extends Call<Import> {
  /**
   * Waits until it is `completed`, `previewed`, `needs_confirmation` or `cancelled`. Throws `ImportFailed` if it failed.
   * Rows that failed do not make it fail: see `counts`.
   */
  result(options?: CallOptions): Promise<Import>;
}

/** An import failed as a whole: `record.error` says why. */
export class ImportFailed extends InventoryError {
  override readonly name: string = "ImportFailed";
  readonly record: Import;

  constructor(failed: Import) {
    super(failed.error?.message ?? "The import failed");
    this.record = failed;
  }
}

const FIRST_LOOK = 200;
const isUnderWay = ({ state }: Import): boolean => state === "queued" || state === "running";

/** Imports of files. */
export class Imports extends ImportsOperations {
  /** Sends a file. The format is that of its type, or else of its name (`cars.xlsx`); a text is CSV. */
  run(file: Uploaded, settings: RunOptions = {}, options?: ChangeOptions): RunningImport {
    const { name, type, columns, ...query } = settings;
    const facts = { ...(name !== undefined && { name }), type: type ?? (typeof file === "string" ? "text/csv" : "") };
    const form = new FormData();
    form.append("file", namedBlob(file, name === undefined || type !== undefined ? facts : {}), nameOf(file, facts));
    const call = this.requests.send<Import>(
      {
        method: "POST",
        path: "/api/imports",
        query: { ...query, ...(columns !== undefined && { columns: JSON.stringify(columns) }) },
        content: { data: form },
      },
      options,
    );
    return Object.assign(call, { result: async (of?: CallOptions) => this.result((await call).id, of) });
  }

  /** Waits for an import, also for one that was begun before: see `RunningImport`. */
  async result(id: number, options: CallOptions = {}): Promise<Import> {
    for (let wait = FIRST_LOOK; ; wait *= 2) {
      const { data, response } = await this.get(id, options).withResponse();
      if (data.state === "failed") throw new ImportFailed(data);
      if (!isUnderWay(data)) return data;
      // Small files are soon done; for large ones the service says when to look again.
      const asked = Number(response.headers.get("retry-after") ?? 1) * 1000;
      await pause(Math.min(wait, asked), options.signal);
    }
  }
}
