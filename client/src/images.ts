import type { Call } from "./call.ts";
import { namedBlob, type Uploaded } from "./files.ts";
import type { Image } from "./made/records.ts";
import { ImagesOperations } from "./made/resources.ts";
import type { ChangeOptions } from "./options.ts";

/** What a photo is sent with. */
export interface UploadOptions extends ChangeOptions {
  /** What the photo shows, for people who cannot see it. */
  readonly alt?: string;
  /** True to make it the main photo. */
  readonly isPrimary?: boolean;
  readonly displayOrder?: number;
}

/** The images of vehicles. */
export class Images extends ImagesOperations {
  /** Sends a photo (JPEG, PNG or WebP) to a vehicle. The same photo sent twice is there once. */
  upload(id: number, photo: Uploaded, options: UploadOptions = {}): Call<Image> {
    const { alt, isPrimary, displayOrder, ...others } = options;
    const form = new FormData();
    form.append("file", namedBlob(photo, { type: "application/octet-stream" }), "photo");
    if (alt !== undefined) form.append("alt", alt);
    if (isPrimary !== undefined) form.append("is_primary", String(isPrimary));
    if (displayOrder !== undefined) form.append("display_order", String(displayOrder));
    return this.requests.send(
      { method: "POST", path: `/api/vehicles/${encodeURIComponent(id)}/images`, content: { data: form } },
      others,
    );
  }
}
