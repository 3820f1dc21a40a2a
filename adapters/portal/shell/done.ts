import { notifications } from "@mantine/notifications";
import { ApiError } from "../api/client.ts";

/** Shows a short notification that something was done. */
export const sayDone = (message: string): void => {
  notifications.show({ message, autoClose: 5_000, withBorder: true, closeButtonProps: { "aria-label": "Dismiss" } });
};

/** Shows why something was not done: the refusal's own sentence, or another where it is a fault of the page. */
export const sayWhyNot = (error: unknown, otherwise = "Something went wrong in this page. Try again."): void =>
  sayDone(error instanceof ApiError ? error.sentence : otherwise);
