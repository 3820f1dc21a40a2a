import { notifications, notificationsStore } from "@mantine/notifications";
import type { ReactNode } from "react";

/** So many are shown at a time. */
const AT_MOST = 5;

/** Shows a notification at once, for so many milliseconds; returns its id. If there are too many, the oldest goes. */
export const showNotification = (message: ReactNode, autoClose: number): string => {
  // The library would keep the newest waiting until another one ends.
  notifications.updateState(notificationsStore, (shown) => shown.slice(1 - AT_MOST));
  return notifications.show({
    message,
    autoClose,
    withBorder: true,
    closeButtonProps: { "aria-label": "Dismiss" },
  });
};
