import { scopeOf } from "../access/decide.ts";
import { type Attempt, type VehicleOwners, whyVehicleMissed } from "../access/missed-vehicle.ts";
import type { Principal } from "../access/principal.ts";
import { useCase } from "../access/use-case.ts";
import type { Clock } from "../clock.ts";
import { findOrExplain } from "../crossing-changes.ts";
import { Failure, invalid, notFound, type Outcome } from "../failure.ts";
import { type Image, type ImageDelivery, presentImage } from "../images/image.ts";
import { imageAdded, imageChanged } from "../images/image-changes.ts";
import { ownAddressIn } from "../images/own-address.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { Storage } from "../storage.ts";
import { inspectPhoto, PHOTO_LIMITS } from "./inspection.ts";
import { fileOf, type Turn } from "./photo.ts";
import { type PhotoFields, photoFields, type SentPhoto, turnedImage } from "./photo-input.ts";
import {
  type ChangedPhoto,
  type DecideOnPhoto,
  type NewPhoto,
  NO_SUCH_IMAGE,
  PHOTO_GONE,
  type PhotoRepository,
  type PhotoVehicle,
} from "./photo-repository.ts";
import { StorageAway } from "./photo-storage.ts";
import { AWAY, type PhotoWork, storedPhoto, tryLater } from "./photo-work.ts";
import { roomForPhotos } from "./room-for-photos.ts";
import type { Sender } from "./turns.ts";

const MEBIBYTE = 1024 * 1024;
/** The public variant of a photo is hardly ever larger. */
const TURNED_BYTES = 4 * MEBIBYTE;

/** A photo that is being sent. */
export interface ArrivingPhoto {
  /** The number of bytes that the client announces; `null` if it does not. */
  readonly bytes: number | null;
  /** Receives it; `null` if the form of the request is refused. */
  open(): Promise<SentPhoto | null>;
}

/** A photo that was received and stored, before its image is added. */
export class ReceivedPhoto {
  constructor(
    /** Of the sent bytes. */
    readonly sha256: string,
    readonly fields: PhotoFields,
    /** `null` if the vehicle has this photo already. */
    readonly photo: NewPhoto | null,
  ) {}
}

/** A photo that was made of the one of an image. */
export class TurnedPhoto {
  constructor(
    /** The stored address of the photo that was turned. */
    readonly before: string,
    readonly changes: Partial<PhotoFields>,
    readonly photo: NewPhoto,
  ) {}
}

interface Ports {
  readonly photos: PhotoRepository;
  readonly vehicles: VehicleOwners;
  readonly clock: Clock;
  readonly delivery: ImageDelivery | null;
  /** `null` if no photos are taken. */
  readonly work: PhotoWork | null;
  /** Why no photos are taken. */
  readonly offReason: string;
  readonly maxImages: number;
  /** The mebibytes that the photos of one dealer may take; `null` for no limit. */
  readonly quotaMib: number | null;
  readonly disk: Pick<Storage, "diskRefusal">;
}

const BUSY = tryLater("Too many photos are being made at the moment; try again soon", 10);
const SEND_AGAIN = tryLater("The photo was removed from the vehicle meanwhile: send it again", 1);
const NO_PHOTO = invalid({
  path: "rotate",
  message: "is for photos that this service holds; this image is only an address",
});

const tooManyImages = (most: number): Failure =>
  invalid({ path: "", message: `the vehicle has the ${most} images that one may have: remove one first` });

/** The use cases of photos that the service holds. Whoever may change a vehicle's images may send photos. */
export const makePhotos = ({
  photos,
  vehicles,
  clock,
  delivery,
  work,
  offReason,
  maxImages,
  quotaMib,
  disk,
}: Ports) => {
  const noRoom = roomForPhotos({ photos, quotaMib, disk });
  const off = new Failure({ kind: "photos-off", reason: offReason });
  const senderOf = ({ keyId, userId, dealerId }: Principal): Sender => {
    const caller = `${keyId} ${userId}`;
    return { caller, party: dealerId === null ? caller : `dealer ${dealerId}` };
  };

  const reach = <Value>(attempt: Attempt, run: () => Promise<Outcome<Value> | null>): MaybePromise<Outcome<Value>> =>
    findOrExplain(run, () => whyVehicleMissed(vehicles, attempt));

  /** Why the vehicle takes no more photos, or `null`. */
  const refusal = async ({ dealerId, images }: PhotoVehicle): Promise<Failure | null> => {
    if (images >= maxImages) return tooManyImages(maxImages);
    return noRoom(dealerId);
  };

  const receive = async (own: PhotoWork, attempt: Attempt, sent: SentPhoto): Promise<Outcome<ReceivedPhoto>> => {
    const image = inspectPhoto(sent.bytes);
    if (image instanceof Failure) return image;
    const fields = photoFields(sent.fields);
    if (fields instanceof Failure) return fields;
    const sha256 = own.hash(sent.bytes);
    const vehicle = await reach(attempt, () => photos.vehicle(attempt.id, scopeOf(attempt.principal), sha256));
    if (vehicle instanceof Failure) return vehicle;
    if (vehicle.hasPhoto) return new ReceivedPhoto(sha256, fields, null);
    const refused = await refusal(vehicle);
    if (refused !== null) return refused;
    const photo = await storedPhoto(own, image, { sha256 });
    return photo instanceof Failure ? photo : new ReceivedPhoto(sha256, fields, photo);
  };

  /**
   * Changes the images of a vehicle by a photo. If no image got it, its files are removed. The sweep finds them too, only
   * later.
   */
  const change = async (
    { storage }: PhotoWork,
    attempt: Attempt,
    { decide, ...sent }: { readonly sha256: string; readonly photo: NewPhoto | null; readonly decide: DecideOnPhoto },
  ): Promise<Outcome<ChangedPhoto & { readonly image: Image }>> => {
    const { principal, id: vehicleId } = attempt;
    const at = { vehicleId, scope: scopeOf(principal), now: clock.now(), by: principal };
    const changed = await reach(attempt, () => photos.change(at, sent, decide));
    if (changed === PHOTO_GONE) return SEND_AGAIN;
    if (sent.photo !== null && (changed instanceof Failure || !changed.isStored))
      await storage.remove(sent.photo.photoId).catch(() => {});
    if (changed instanceof Failure) return changed;
    if (changed.named === null) throw new Error("a change of an image names none");
    return { ...changed, image: presentImage(delivery, changed.named) };
  };

  /** The public variant of a photo, as it was sent to clients. */
  const publicBytes = async ({ storage }: PhotoWork, photoId: string): Promise<Outcome<Uint8Array>> => {
    try {
      return (await storage.read(photoId, fileOf("public", "jpg"))) ?? AWAY;
    } catch (error) {
      if (error instanceof StorageAway) return AWAY;
      throw error;
    }
  };

  const turnedPhoto = async (own: PhotoWork, photoId: string, turn: Turn): Promise<Outcome<NewPhoto>> => {
    const bytes = await publicBytes(own, photoId);
    if (bytes instanceof Failure) return bytes;
    const image = inspectPhoto(bytes);
    if (image instanceof Failure) return image;
    return storedPhoto(own, image, { sha256: own.hash(`${turn} ${own.hash(bytes)}`), turn });
  };

  return {
    /** Receives a photo and stores its files. `null` if the request's form was refused already. */
    receive: useCase(
      "image.add",
      async (principal, vehicleId: number, arriving: ArrivingPhoto): Promise<Outcome<ReceivedPhoto> | null> => {
        if (work === null) return off;
        const attempt = { principal, operation: "image.add", id: vehicleId } as const;
        const received = await work.turns.run(senderOf(principal), arriving.bytes ?? PHOTO_LIMITS.bytes, async () => {
          const sent = await arriving.open();
          return { outcome: sent && (await receive(work, attempt, sent)) };
        });
        return received === null ? BUSY : received.outcome;
      },
    ),

    /** Adds the image of a photo that was received. If the vehicle has it already, that image is answered. */
    add: useCase(
      "image.add",
      async (
        principal,
        vehicleId: number,
        { sha256, fields, photo }: ReceivedPhoto,
      ): Promise<Outcome<{ readonly image: Image; readonly isNew: boolean }>> => {
        if (work === null) return off;
        return change(
          work,
          { principal, operation: "image.add", id: vehicleId },
          {
            sha256,
            photo,
            decide: (present, image_url) => imageAdded(present, { ...fields, image_url }, maxImages),
          },
        );
      },
    ),

    /** Makes the photo of an image anew, turned by quarter turns. The image gets it by `replace`. */
    turn: useCase(
      "image.update",
      async (
        principal,
        {
          vehicleId,
          imageId,
          input,
        }: { readonly vehicleId: number; readonly imageId: number; readonly input: unknown },
      ): Promise<Outcome<TurnedPhoto>> => {
        const body = turnedImage(input);
        if (body instanceof Failure) return body;
        if (work === null) return off;
        const found = await reach({ principal, operation: "image.update", id: vehicleId }, () =>
          photos.image(vehicleId, imageId, scopeOf(principal)),
        );
        if (found instanceof Failure) return found;
        if (found === NO_SUCH_IMAGE) return notFound("image", imageId);
        const address = ownAddressIn(found.image_url);
        if (address === null) return NO_PHOTO;
        const turned = await work.turns.run(senderOf(principal), TURNED_BYTES, () =>
          turnedPhoto(work, address.photoId, body.rotate),
        );
        if (turned === null) return BUSY;
        return turned instanceof Failure ? turned : new TurnedPhoto(found.image_url, body.changes, turned);
      },
    ),

    /** Gives an image the photo that was made of its present one. */
    replace: useCase(
      "image.update",
      async (
        principal,
        { vehicleId, imageId }: { readonly vehicleId: number; readonly imageId: number },
        { before, changes, photo }: TurnedPhoto,
      ): Promise<Outcome<Image>> => {
        if (work === null) return off;
        const changed = await change(
          work,
          { principal, operation: "image.update", id: vehicleId },
          {
            sha256: photo.sha256,
            photo,
            decide: (present, image_url) =>
              present.some((one) => one.id === imageId && one.image_url === before)
                ? imageChanged(present, imageId, { ...changes, image_url })
                : notFound("image", imageId),
          },
        );
        return changed instanceof Failure ? changed : changed.image;
      },
    ),
  };
};

export type Photos = ReturnType<typeof makePhotos>;
