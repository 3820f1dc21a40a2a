import { availableParallelism } from "node:os";
import { photoMaker } from "../../adapters/photos/maker.ts";
import type { InventedImage, InventedPhoto } from "../../adapters/sql/vehicles/bulk.ts";
import { Failure } from "../../core/failure.ts";
import { storedAddressOf } from "../../core/images/own-address.ts";
import { inspectPhoto } from "../../core/photos/inspection.ts";
import type { NewPhoto } from "../../core/photos/photo-repository.ts";
import type { PhotoStorage } from "../../core/photos/photo-storage.ts";
import { storedPhoto } from "../../core/photos/photo-work.ts";
import { Gate, UploadTurns } from "../../core/photos/turns.ts";
import { kindOf } from "./pictures/kinds.ts";
import { drawn, type Scene } from "./pictures/pictures.ts";
import type { SeedVehicle } from "./vehicles.ts";

const ID_LENGTH = 32;
const hash = (content: Uint8Array | string): string => Bun.SHA256.hash(content, "hex");
const idOf = (text: string): string => hash(text).slice(0, ID_LENGTH);

/** Of the inside, there is one picture for all cars with seats of this color, and of wheels one for each paint. */
const nameOf = ({ view, kind, color }: Scene): string =>
  view === "outside" ? `${view} ${kind} ${color}` : `${view} ${color}`;

/** What is to be seen on the images of a vehicle, the primary one first. */
const scenesOf = ({ fields, images }: SeedVehicle): readonly Scene[] => {
  const kind = kindOf(fields.body_style);
  const [paint, seats] = [fields.exterior_color ?? "", fields.interior_color ?? ""];
  const scenes: readonly Scene[] = [
    { view: "outside", kind, color: paint },
    { view: "inside", kind, color: seats },
    { view: "wheel", kind: "sedan", color: paint },
  ];
  return scenes.slice(0, images);
};

/** A picture could not be stored. */
export class NotStored extends Error {}

const reasonOf = ({ cause }: Failure): string => ("reason" in cause ? cause.reason : cause.kind);

/** A vehicle with the id of its dealer. */
interface OwnedVehicle {
  readonly vehicle: SeedVehicle;
  readonly dealerId: number;
}

/**
 * The pictures of invented vehicles, which are drawn when the first vehicle needs them, and shared by all that look the
 * same. Equal seeds give equal ids in an empty database.
 */
export class InventedPhotos {
  private readonly stored = new Map<string, Promise<NewPhoto>>();
  private readonly turns = new UploadTurns(availableParallelism());
  private readonly gate = new Gate(availableParallelism());
  private readonly maker = photoMaker();

  constructor(
    private readonly storage: PhotoStorage,
    /** It makes ids differ from those of other invented data in the same database. */
    private readonly salt: string,
  ) {}

  /** The account of a dealer. */
  accountOf(dealerId: number): string {
    return idOf(`${this.salt}: account ${dealerId}`);
  }

  /** Draws and stores what these vehicles need and no earlier one needed. Throws NotStored. */
  async add(vehicles: readonly OwnedVehicle[]): Promise<readonly InventedPhoto[]> {
    const added: Promise<InventedPhoto>[] = [];
    for (const { vehicle, dealerId } of vehicles)
      for (const scene of scenesOf(vehicle)) {
        const name = nameOf(scene);
        if (this.stored.has(name)) continue;
        const storing = this.store(scene, idOf(`${this.salt}: ${name}`));
        this.stored.set(name, storing);
        added.push(storing.then((photo) => ({ ...photo, dealerId })));
      }
    return Promise.all(added);
  }

  /** The images of a vehicle whose pictures were added. */
  async imagesOf({ vehicle, dealerId }: OwnedVehicle): Promise<readonly InventedImage[]> {
    const accountHash = this.accountOf(dealerId);
    const photos = await Promise.all(scenesOf(vehicle).map((scene) => this.stored.get(nameOf(scene))));
    return photos.flatMap((photo) => {
      if (photo === undefined) return [];
      const { photoId, width, height, placeholder } = photo;
      return { image_url: storedAddressOf({ accountHash, photoId }), width, height, placeholder };
    });
  }

  private async store(scene: Scene, photoId: string): Promise<NewPhoto> {
    const leave = await this.gate.enter();
    try {
      const { storage, maker, turns } = this;
      // The same data may have been invented before, in a database that is gone.
      await storage.remove(photoId).catch((cause) => {
        throw new NotStored("the storage of photos is out of reach", { cause });
      });
      const bytes = drawn(scene);
      const picture = inspectPhoto(bytes);
      if (picture instanceof Failure) throw new NotStored(reasonOf(picture));
      const photo = await storedPhoto({ storage, maker, turns, hash, newId: () => photoId }, picture, {
        sha256: hash(bytes),
      });
      if (photo instanceof Failure) throw new NotStored(reasonOf(photo));
      return photo;
    } finally {
      leave();
    }
  }
}
