import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run as runHere } from "../../app/commands/program.ts";
import type { Image } from "../../core/images/image.ts";
import { runCommand, runPart } from "../support/command.ts";
import { jpegPhoto } from "../support/photos.ts";
import { alter, type RunningProgram, TEST_TIMEOUT_MS, testCommands, testProgram } from "../support/program.ts";
import { startS3 } from "../support/s3.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

type Environment = Readonly<Record<string, string | undefined>>;

/** A stopped installation with three photos of a vehicle. */
const SOURCE = testCommands();
let key = "";
let ids: readonly string[] = [];

const imagesOf = async ({ url }: RunningProgram): Promise<readonly Image[]> => {
  const listed = await fetch(`${url}/api/vehicles/1/images`, { headers: { "x-api-key": key } });
  return (await listed.json()) as Image[];
};

beforeAll(async () => {
  expect((await SOURCE.run("seed", "--dealers", "1", "--vehicles", "1", "--no-images")).code).toBe(0);
  key = (await SOURCE.run(..."keys create --name Camera --app-id camera --app-type desktop".split(" "))).out.trim();
  const serving = await SOURCE.serve();
  for (const number of [1, 2, 3])
    await fetch(`${serving.url}/api/vehicles/1/images`, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "image/jpeg" },
      body: new Uint8Array(await jpegPhoto(32, 24, number)),
    });
  ids = (await imagesOf(serving)).map(({ delivery_id }) => delivery_id ?? "");
  await serving.stop();
}, TEST_TIMEOUT_MS);

/** A copy of the installation, with commands that run on it. */
const installation = ({ isEmpty = false } = {}) => {
  const place = testProgram();
  if (!isEmpty) {
    cpSync(SOURCE.database, place.database);
    cpSync(SOURCE.path("images"), place.path("images"), { recursive: true });
  }
  const runWith = (environment: Environment, ...line: string[]) =>
    runCommand({ DATABASE_URL: `sqlite:${place.database}`, ...environment }, ...line);
  /** Runs a command, and calls `step` with how often it has said that all photos are done, before it goes on. */
  const runStepwise = (step: (times: number) => void, environment: Environment, ...line: string[]) => {
    let times = 0;
    const heard = (piece: string): void => {
      if (piece === "photos 100%\n") step(++times);
    };
    const surroundings = { environment: { DATABASE_URL: `sqlite:${place.database}`, ...environment }, heard };
    return runPart(() => runHere(line), surroundings);
  };
  /** Removes a photo as the service does, except for its files. */
  const remove = (id = "") => alter(place.database, `UPDATE photos SET gone = 1 WHERE photo_id = '${id}'`);
  return { ...place, runWith, runStepwise, remove, run: (...line: string[]) => runWith({}, ...line) };
};

const photosIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .flatMap((shelf) => readdirSync(join(folder, shelf)))
    .sort();
const folderOf = (root: string, id: string): string => join(root, id.slice(0, 2), id);
const saying = (code: number, ...words: readonly string[]) => ({
  code,
  out: expect.stringMatching(new RegExp(words.join("[\\s\\S]*"))) as string,
});

describe("photos", () => {
  test("are copied with a backup, only new ones the next time, and taken back into an empty installation", async () => {
    const { runWith, path } = installation();
    const [, last = ""] = ids;
    const adviceOf = (key: string) =>
      `The key of second factors (${key}) is not in it: keep it, apart from the backup.\n`;
    const first = await runWith({ SECRET_KEY: undefined }, "backup", "--images", path("copies"), path("first.db"));
    expect(first).toMatchObject(saying(0, "Its photos are in .*copies: 3, of which 3 were copied now"));
    expect(first.err).toContain(adviceOf(path("secret.key")));
    expect(statSync(path("copies")).mode & 0o777).toBe(0o700);
    rmSync(folderOf(path("copies"), last), { recursive: true });
    const again = await runWith({ SECRET_KEY: "a key" }, "backup", path("copy.db"), "--images", path("copies"));
    expect(again).toMatchObject(saying(0, "copies: 3, of which 1 were copied now"));
    expect(again.err).toContain(adviceOf("SECRET_KEY"));
    expect(photosIn(path("copies"))).toEqual([...ids].sort());

    const elsewhere = installation({ isEmpty: true });
    expect(await elsewhere.run("restore", "--images", path("copies"), path("copy.db"))).toMatchObject(
      saying(0, "Its photos are there: 3, of which 3 came from "),
    );
    const serving = await elsewhere.serve();
    const images = await imagesOf(serving);
    const answers = await Promise.all(images.map(({ variants }) => fetch(variants?.large ?? "")));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await serving.stop();
  });

  test("that a backup misses are named when it is restored (3); what the installation still has is kept", async () => {
    const { run, path } = installation();
    const [kept = "", gone = "", spoiled = ""] = ids;
    expect((await run("backup", "--images", path("copies"), path("copy.db"))).code).toBe(0);
    for (const id of [kept, gone]) rmSync(folderOf(path("copies"), id), { recursive: true });
    writeFileSync(join(folderOf(path("copies"), spoiled), "public.jpg"), "not a photo");
    for (const id of [gone, spoiled]) rmSync(folderOf(path("images"), id), { recursive: true });
    const { code, out, err } = await run("restore", "--images", path("copies"), path("copy.db"));
    expect(code).toBe(3);
    expect(out).toContain("Its photos are there: 1, of which 0 came from ");
    expect(out).toContain(`missing: photo ${gone} of vehicle 1\n`);
    expect(out).toContain(`damaged: photo ${spoiled} of vehicle 1\n`);
    expect(err).toContain("of 3 photos, 2 are missing or damaged: ");
    for (const id of [gone, spoiled]) expect(err).toContain(id);
    expect(out + err).not.toContain(kept);
  });

  test("that are missing when a backup is made are named (3), and the others are in it", async () => {
    const { run, path } = installation();
    const [gone = "", ...others] = ids;
    rmSync(folderOf(path("images"), gone), { recursive: true });
    const { code, out } = await run("backup", "--images", path("copies"), path("copy.db"));
    expect([code, out]).toEqual([3, expect.stringContaining(`missing: photo ${gone} of vehicle 1\n`)]);
    expect(photosIn(path("copies"))).toEqual([...others].sort());
    expect(existsSync(path("copy.db"))).toBe(true);
  });

  test("that are removed while a backup is made are not missed in it: it is made anew, and tells what it copied in all", async () => {
    const { runStepwise, remove, path } = installation();
    const [kept = "", ...gone] = ids;
    for (const id of gone) rmSync(folderOf(path("images"), id), { recursive: true });
    // Every other time is that of the backup that was written, whose photos are looked at.
    const step = (times: number): void => {
      if (times % 2 === 0) remove(gone[times / 2 - 1]);
    };
    const ran = await runStepwise(step, {}, "backup", path("copy.db"), "--images", path("copies"));
    expect(ran).toMatchObject(saying(0, "copies: 1, of which 1 were copied now.\n$"));
    expect(ran.err.match(/photos 100%/g)).toHaveLength(6);
    expect(photosIn(path("copies"))).toEqual([kept]);
    const again = await runStepwise(() => {}, {}, "backup", path("again.db"), "--images", path("copies"));
    expect(again.err.match(/photos 100%/g)).toHaveLength(2);
  });

  test("that are removed again and again while a backup is made are named in the end (3)", async () => {
    const { runStepwise, remove, path } = installation();
    for (const id of ids) rmSync(folderOf(path("images"), id), { recursive: true });
    const step = (times: number): void => {
      if (times % 2 === 0) remove(ids[times / 2 - 1]);
    };
    const { code, err } = await runStepwise(step, {}, "backup", path("copy.db"), "--images", path("copies"));
    expect([code, err]).toEqual([3, expect.stringContaining(`of 1 photo, 1 are missing or damaged: ${ids[2]}\n`)]);
  });

  test("are verified: those that are missing or damaged are named, and the command ends with 1", async () => {
    const { run, path } = installation();
    expect(await run("images", "verify")).toMatchObject(saying(0, "^3 photos in .*images: each is there and whole"));
    expect(JSON.parse((await run("images", "verify", "--json")).out)).toEqual({ photos: 3, faults: [] });
    const [, gone = "", spoiled = ""] = ids;
    rmSync(join(folderOf(path("images"), gone), "thumbnail.webp"));
    const file = join(folderOf(path("images"), spoiled), "large.jpg");
    const bytes = readFileSync(file);
    bytes[100] = (bytes[100] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    const verified = await run("images", "verify");
    expect([verified.code, verified.out.split("\n").sort()]).toEqual([
      1,
      ["", `damaged: photo ${spoiled} of vehicle 1`, `missing: photo ${gone} of vehicle 1`],
    ]);
    const { code, out } = await run("images", "verify", "--json");
    expect([code, JSON.parse(out).photos]).toEqual([1, 3]);
    expect(new Set(JSON.parse(out).faults)).toEqual(
      new Set([
        { photo_id: gone, vehicle_id: 1, fault: "missing" },
        { photo_id: spoiled, vehicle_id: 1, fault: "damaged" },
      ]),
    );
  });

  test("cannot be verified in a folder that has vanished, which is not made again", async () => {
    const { run, path } = installation();
    rmSync(path("images"), { recursive: true });
    const { code, err } = await run("images", "verify");
    expect([code, err]).toEqual([1, expect.stringContaining("the photos cannot be read: ")]);
    expect(existsSync(path("images"))).toBe(false);
  });

  test("move to a bucket and back: each is checked, what is there is not copied again, and a backup reads the bucket", async () => {
    const { runWith, runStepwise, remove, path } = installation();
    const { access, close } = await startS3();
    const bucket: Environment = {
      S3_ENDPOINT: access.endpoint ?? "",
      S3_ACCESS_KEY_ID: access.accessKeyId,
      S3_SECRET_ACCESS_KEY: access.secretAccessKey,
    };
    const move = ["images", "move", "--to", "s3://photos/cars"];
    expect(await runWith(bucket, ...move)).toMatchObject(
      saying(0, "^3 photos in s3://photos/cars,.* 3 were copied now", "IMAGE_STORAGE=s3://photos/cars "),
    );
    const client = new Bun.S3Client(access);
    await client.write(`cars/${ids[0]}/public.jpg`, "another photo");
    expect(await runWith(bucket, ...move)).toMatchObject(saying(0, " 1 were copied now"));

    const inBucket = { ...bucket, IMAGE_STORAGE: "s3://photos/cars" };
    rmSync(path("images"), { recursive: true });
    expect(await runWith(inBucket, "images", "verify")).toMatchObject(saying(0, "3 photos in s3://photos/cars"));
    expect(await runWith(inBucket, "backup", "--images", path("copies"), path("copy.db"))).toMatchObject(
      saying(0, "3 were copied now"),
    );
    expect(photosIn(path("copies"))).toEqual([...ids].sort());
    await client.delete(`cars/${ids[0]}/public.jpg`);
    expect(await runWith(inBucket, "images", "verify")).toMatchObject(saying(1, `missing: photo ${ids[0]} `));
    expect(await runWith(inBucket, "restore", "--images", path("copies"), path("copy.db"))).toMatchObject(
      saying(0, "1 came from"),
    );
    expect(await runWith(inBucket, "images", "move", "--to", path("back"))).toMatchObject(saying(0, "3 were copied"));
    expect(await runWith({ IMAGE_STORAGE: path("back") }, "images", "verify")).toMatchObject({ code: 0 });
    await client.delete(`cars/${ids[1]}/public.jpg`);
    await client.delete(`cars/${ids[2]}/public.jpg`);
    // One of them is removed while the photos are verified, so that it is not missed.
    expect((await runStepwise(() => remove(ids[1]), inBucket, "images", "verify")).out).toBe(
      `missing: photo ${ids[2]} of vehicle 1\n`,
    );
    await close();
    const away = await runWith(inBucket, "backup", "--images", path("copies"), path("other.db"));
    expect([away.code, away.err]).toEqual([1, expect.stringContaining("nothing was backed up: ")]);
    expect(existsSync(path("other.db"))).toBe(false);
  });
});

test("commands about photos are refused with what is wrong, and change nothing", async () => {
  const { run, runWith, path, folder } = installation();
  const images = path("images");
  mkdirSync(images, { recursive: true });
  for (const [line, code, words] of [
    [["images", "move"], 2, "--to"],
    [["images", "move", "--to", images], 2, "is where the photos are"],
    [["images", "move", "--to", "off"], 2, "--to: must be a folder or s3://<bucket>[/<prefix>]"],
    [["images", "move", "--to", "ftp://photos"], 2, "--to: must be a folder, s3://<bucket>"],
    [["backup", "--images", images, path("copy.db")], 2, "is where the photos are"],
    [["restore", "--images", path("none"), path("copy.db")], 1, "there is no folder"],
  ] as const)
    expect([line, await run(...line)]).toMatchObject([line, { code, err: expect.stringContaining(words) as string }]);
  const off = await runWith({ IMAGE_STORAGE: "off" }, "images", "verify");
  expect([off.code, off.err]).toEqual([1, expect.stringContaining("holds no photos")]);
  expect(readdirSync(folder).sort()).toEqual(["images", "inventory.db"]);
});
