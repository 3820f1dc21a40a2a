import { notifications } from "@mantine/notifications";

/** Shows a short notification that something was done. */
export const sayDone = (message: string): void => {
  notifications.show({ message, autoClose: 5_000, withBorder: true, closeButtonProps: { "aria-label": "Dismiss" } });
};
