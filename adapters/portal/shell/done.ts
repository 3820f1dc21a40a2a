import { notifications } from "@mantine/notifications";

/** Says in passing that something was done. */
export const sayDone = (message: string): void => {
  notifications.show({ message, autoClose: 5_000, withBorder: true, closeButtonProps: { "aria-label": "Dismiss" } });
};
