import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "../../../app/commands/exit.ts";
import {
  otherStorage,
  ownStorage,
  printFaults,
  refuseFaults,
  withPhotoProgress,
  withStorageErrors,
} from "../../../app/commands/photo-storages.ts";
import type { PhotoFault } from "../../../core/photos/photo-copies.ts";
import { StorageAway, StorageFull } from "../../../core/photos/photo-storage.ts";
import { runPart } from "../../support/command.ts";
import { scratchFolder } from "../../support/scratch-folder.ts";

const folder = scratchFolder("photo-storages");
afterAll(() => rmSync(folder, { recursive: true }));
const own = join(folder, "own");
const KEYS = { S3_ACCESS_KEY_ID: "key", S3_SECRET_ACCESS_KEY: "secret" };

/** What work prints as JSON, or why it is refused, where the service's photos are in `storage`. */
const sayOf = async (storage: string, work: () => unknown, environment: Readonly<Record<string, string>> = KEYS) => {
  const variables = { S3_ACCESS_KEY_ID: undefined, S3_SECRET_ACCESS_KEY: undefined, ...environment };
  const print = async (): Promise<void> => void process.stdout.write(JSON.stringify(await work()));
  const ran = await runPart(print, { environment: { ...variables, IMAGE_STORAGE: storage } });
  return ran.code === 0 ? JSON.parse(ran.out) : [ran.code, ran.err.split("\n")[0]?.replace("vehicle-inventory: ", "")];
};
const nameOf = ({ name, setting }: { readonly name: string; readonly setting: string }) => [name, setting];

describe("the storage of the service", () => {
  test("is the folder that is set, which is made only to put photos there, or a bucket", async () => {
    const named = [`the folder ${own}`, own];
    expect(await sayOf(own, () => nameOf(ownStorage({ isMade: false })))).toEqual(named);
    expect(existsSync(own)).toBe(false);
    expect(await sayOf(own, () => nameOf(ownStorage({ isMade: true })))).toEqual(named);
    expect(existsSync(own)).toBe(true);
    for (const bucket of ["s3://photos", "s3://photos/cars/new"])
      expect(await sayOf(bucket, () => nameOf(ownStorage({ isMade: true })))).toEqual([bucket, bucket]);
  });

  test("is none where photos are off", async () => {
    expect(await sayOf("off", () => ownStorage({ isMade: false }))).toEqual([
      1,
      "this installation holds no photos; IMAGE_STORAGE says where they are",
    ]);
  });
});

describe("another storage", () => {
  const other = (text: string) => () => nameOf(otherStorage("--to", text, ownStorage({ isMade: false })));

  test("is a folder, which is made, or a bucket", async () => {
    const made = join(folder, "made");
    expect(await sayOf(own, other(made))).toEqual([`the folder ${made}`, made]);
    expect(existsSync(made)).toBe(true);
    expect(await sayOf(own, other("s3://photos/cars"))).toEqual(["s3://photos/cars", "s3://photos/cars"]);
    expect(await sayOf("s3://photos/cars", other(made))).toEqual([`the folder ${made}`, made]);
    expect(await sayOf("s3://photos/cars", other("s3://photos/vans"))).toEqual([
      "s3://photos/vans",
      "s3://photos/vans",
    ]);
  });

  test("is not where the photos are already, however that is written", async () => {
    const there = join(folder, "there");
    mkdirSync(there);
    symlinkSync(there, join(folder, "link"));
    for (const text of [there, join(folder, "link"), `${folder}/made/../there`])
      expect(await sayOf(there, other(text))).toEqual([2, `--to: the folder ${text} is where the photos are`]);
    const missing = join(folder, "missing");
    expect(await sayOf(missing, other(missing))).toEqual([2, `--to: the folder ${missing} is where the photos are`]);
    expect(existsSync(missing)).toBe(false);
    expect(await sayOf("s3://photos/cars", other("s3://photos/cars"))).toEqual([
      2,
      "--to: s3://photos/cars is where the photos are",
    ]);
  });

  test("that cannot be is refused by the name of the option, or of the variable that is wrong", async () => {
    expect(await sayOf(own, other("off"))).toEqual([2, "--to: must be a folder or s3://<bucket>[/<prefix>]"]);
    expect(await sayOf(own, other("ftp://photos"))).toEqual([
      2,
      "--to: must be a folder, s3://<bucket>[/<prefix>] or off",
    ]);
    expect(await sayOf(own, other("s3://photos"), {})).toEqual([
      1,
      expect.stringMatching(/^S3_ACCESS_KEY_ID is required /),
    ]);
    const defect = Object.assign(new Error("a defect"), { variable: "IMAGE_STORAGE" });
    const broken = {
      ...ownStorage({ isMade: false }),
      get setting(): string {
        throw defect;
      },
    };
    expect(() => otherStorage("--to", "there", broken)).toThrow(defect);
  });
});

test("a storage that is away or full ends the work in one line; a defect stays one", async () => {
  for (const error of [new StorageAway("it is away"), new StorageFull("it is full")])
    await expect(withStorageErrors("nothing was done", () => Promise.reject(error))).rejects.toEqual(
      new CommandError(`nothing was done: ${error.message}`),
    );
  const defect = new Error("a defect");
  await expect(withStorageErrors("nothing was done", () => Promise.reject(defect))).rejects.toBe(defect);
  expect(await withStorageErrors("nothing was done", async () => 7)).toBe(7);
});

test("the progress of photos is shown if there are any", async () => {
  const errOf = async (total: number) =>
    (await runPart(() => withPhotoProgress(total, async ({ reached }) => reached(1)))).err;
  expect([await errOf(0), await errOf(2)]).toEqual(["", "photos 50%\n"]);
});

describe("photos that are missing or damaged", () => {
  const faults = (count: number): PhotoFault[] =>
    Array.from({ length: count }, (_, at) => ({
      photoId: `p${at}`,
      vehicleId: at === 0 ? null : at,
      fault: "missing",
    }));

  test("are printed, a line each", async () => {
    const { out } = await runPart(() => printFaults(faults(2)));
    expect(out).toBe("missing: photo p0 of a removed vehicle\nmissing: photo p1 of vehicle 1\n");
  });

  test("end the command, whose message names the first five", () => {
    const refusal = (count: number, total: number, exitCode?: number) => {
      try {
        refuseFaults(faults(count), total, exitCode);
      } catch (error) {
        if (error instanceof CommandError) return [error.exitCode, error.message];
        throw error;
      }
      return null;
    };
    expect(refusal(0, 3)).toBeNull();
    expect(refusal(1, 1)).toEqual([3, "of 1 photo, 1 are missing or damaged: p0"]);
    const five = "p0, p1, p2, p3, p4";
    expect(refusal(5, 9, 1)).toEqual([1, `of 9 photos, 5 are missing or damaged: ${five}`]);
    expect(refusal(7, 9)).toEqual([3, `of 9 photos, 7 are missing or damaged: ${five} and 2 more`]);
  });
});
