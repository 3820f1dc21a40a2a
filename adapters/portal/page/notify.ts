import { ApiError } from "../api/client.ts";
import { showNotification } from "./notifications.ts";

/** Shows a short notification. */
export const notify = (message: string): void => {
  showNotification(message, 5_000);
};

/** Shows why something failed: the server's sentence, or `fallback` for an error in the page. */
export const notifyFailure = (error: unknown, fallback = "Something went wrong in this page. Try again."): void =>
  notify(error instanceof ApiError ? error.sentence : fallback);
