import { notifications } from "@mantine/notifications";
import { ApiError } from "../api/client.ts";

/** Shows a short notification. */
export const notify = (message: string): void => {
  notifications.show({ message, autoClose: 5_000, withBorder: true, closeButtonProps: { "aria-label": "Dismiss" } });
};

/** Shows why something failed: the server's sentence, or `fallback` for an error in the page. */
export const notifyFailure = (error: unknown, fallback = "Something went wrong in this page. Try again."): void =>
  notify(error instanceof ApiError ? error.sentence : fallback);
