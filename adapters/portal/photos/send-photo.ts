import type { Image } from "../../../core/images/image.ts";
import { ApiError, sendForm } from "../api/client.ts";
import { progressTransport } from "./progress-transport.ts";
import type { SentPhoto } from "./upload-queue.ts";

/** Sends a photo to the vehicle with these images; returns its image. */
export const sendPhoto = (
  path: string,
  { file, display_order, isFirst, signal, onProgress }: SentPhoto,
): Promise<Image> => {
  const form = new FormData();
  form.append("display_order", String(display_order));
  // Whichever of several arrives first would be the primary image otherwise.
  if (isFirst) form.append("is_primary", "true");
  form.append("file", file);
  return sendForm<Image>(path, form, { signal, transport: progressTransport(onProgress) });
};

/** Refusals that stay: photos are not taken here, and the storage has no room. */
const FINAL = [501, 507];
/** Refusals of a moment. */
const PASSING = [0, 408, 429];

const sentenceOf = ({ sentence, details, retrySeconds }: ApiError): string => {
  const issues = details.map(({ path, message }) => (path === "file" ? `The photo ${message}` : message));
  const words = issues.length > 0 ? issues.join("; ") : sentence;
  const wait = retrySeconds === null ? "" : ` Try again in ${retrySeconds} seconds.`;
  return `${words.replace(/\.?$/, ".")}${wait}`;
};

/** Why a photo was not added, and whether another try could help. */
export const explainUpload = (error: unknown): { readonly words: string; readonly mayHelp: boolean } =>
  error instanceof ApiError
    ? {
        words: sentenceOf(error),
        mayHelp: PASSING.includes(error.status) || (error.status >= 500 && !FINAL.includes(error.status)),
      }
    : { words: "Something went wrong in this page.", mayHelp: true };
