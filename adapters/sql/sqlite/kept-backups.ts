import { existsSync, readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { makeFolderOf } from "./private-files.ts";

/** A backup in the folder. Its name says when it was made. */
export interface KeptBackup {
  readonly file: string;
  readonly madeMs: number;
}

const MOMENT = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.db$/;

/** The backups of one database in a folder, which may hold other files. */
export class KeptBackups {
  private readonly prefix: string;

  constructor(
    private readonly folder: string,
    database: string,
  ) {
    this.prefix = `${basename(database).replace(/\.db$/, "")}-`;
  }

  /** The path for a backup of this moment. Makes the folder if there is none. */
  fileFor(atMs: number): string {
    const moment = new Date(atMs).toISOString().replace(/\.\d+Z$/, "Z");
    const file = join(this.folder, `${this.prefix}${moment.replaceAll(":", "-")}.db`);
    makeFolderOf(file);
    return file;
  }

  /** All backups up to now, newest first. Those of a clock that was ahead are left alone. */
  all(nowMs: number): readonly KeptBackup[] {
    if (!existsSync(this.folder)) return [];
    return readdirSync(this.folder)
      .flatMap((name): KeptBackup[] => {
        const [, day, hour, minute, second] = name.startsWith(this.prefix)
          ? (MOMENT.exec(name.slice(this.prefix.length)) ?? [])
          : [];
        return day === undefined
          ? []
          : [{ file: join(this.folder, name), madeMs: Date.parse(`${day}T${hour}:${minute}:${second}Z`) }];
      })
      .filter(({ madeMs }) => madeMs <= nowMs)
      .sort((one, other) => other.madeMs - one.madeMs);
  }

  /** Removes all but the newest backups up to now. */
  keepNewest(count: number, nowMs: number): void {
    for (const { file } of this.all(nowMs).slice(count)) rmSync(file);
  }
}
