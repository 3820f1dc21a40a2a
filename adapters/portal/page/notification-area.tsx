import { Notifications } from "@mantine/notifications";

/** Shows what `notify` has to say. */
export const NotificationArea = () => <Notifications position="bottom-right" />;
