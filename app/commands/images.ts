import { type Command, Option } from "commander";
import { heldPhotos } from "../../adapters/sql/photos/held-photos.ts";
import { type PhotoFault, verifyPhotos } from "../../core/photos/photo-copies.ts";
import { withDatabase } from "./database.ts";
import { EXIT } from "./exit.ts";
import { group, jsonOption, required } from "./options.ts";
import { print, printJson } from "./output.ts";
import {
  copied,
  otherStorage,
  ownStorage,
  printFaults,
  refuseFaults,
  withPhotoProgress,
  withStorageErrors,
} from "./photo-storages.ts";
import { plural } from "./table.ts";

type Held = ReturnType<typeof heldPhotos>;

/** The faults but for those of photos that were removed while the command ran. */
const lasting = async (held: Held, faults: readonly PhotoFault[]): Promise<readonly PhotoFault[]> => {
  const found: PhotoFault[] = [];
  for (const fault of faults) if (await held.isHeld(fault.photoId)) found.push(fault);
  return found;
};

const recordOf = ({ photoId, vehicleId, fault }: PhotoFault) => ({ photo_id: photoId, vehicle_id: vehicleId, fault });

const verify = ({ json }: { readonly json?: true }): Promise<void> =>
  withDatabase("existing", async (db) => {
    const own = ownStorage({ isMade: false });
    const held = heldPhotos(db);
    const total = await held.count();
    const { photos, faults } = await withStorageErrors("the photos cannot be read", async () => {
      await own.storage.check();
      return withPhotoProgress(total, (listener) => verifyPhotos(held.all(), own.storage, listener));
    });
    const found = await lasting(held, faults);
    if (json) printJson({ photos, faults: found.map(recordOf) });
    else printFaults(found);
    refuseFaults(found, photos, EXIT.failed);
    if (!json) print(`${plural(photos, "photo")} in ${own.name}: each is there and whole.`);
  });

const move = ({ to: text = "" }: { readonly to?: string }): Promise<void> =>
  withDatabase("existing", async (db) => {
    const own = ownStorage({ isMade: false });
    const to = otherStorage("--to", text, own);
    const held = heldPhotos(db);
    const result = await withStorageErrors("not all photos are copied; run the command again to go on", async () => {
      await own.storage.check();
      const photos = { count: await held.count(), all: held.all() };
      return copied(photos, { from: own.storage, to: to.storage, trusts: "content" });
    });
    const faults = await lasting(held, result.faults);
    const whole = result.photos - result.faults.length;
    print(
      `${plural(whole, "photo")} in ${to.name}, each checked by its hashes; ${result.copied} were copied now. Those in ${own.name} stay.
Stop the service, run this command once more for photos that were sent meanwhile, set IMAGE_STORAGE=${to.setting} and start it.`,
    );
    printFaults(faults);
    refuseFaults(faults, result.photos);
  });

/** Adds the commands `images verify` and `images move`. */
export const addImages = (program: Command): void => {
  const images = group(program, "images", "check the photos that the service holds, or move them elsewhere");
  images
    .command("verify")
    .description("read every photo that the database names, and name those that are missing or damaged")
    .addOption(jsonOption())
    .action(verify);
  images
    .command("move")
    .description("copy all photos to another storage, check each by its hashes, and say what to set")
    .addOption(required(new Option("--to <storage>", "a folder, or s3://<bucket>[/<prefix>]")))
    .action(move);
};
