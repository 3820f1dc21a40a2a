import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { ApiError } from "../api/client.ts";
import { showNotification } from "./notifications.ts";

/** Shows a short notification. */
export const notify = (message: string): void => {
  showNotification(message, 5_000);
};

/** Shows why something failed: the server's sentence, or `fallback` for an error in the page. */
export const notifyFailure = (error: unknown, fallback = "Something went wrong in this page. Try again."): void =>
  notify(error instanceof ApiError ? error.sentence : fallback);

/** Shows a short notification about a change that was made at once, with *Undo*. */
export const notifyWithUndo = (message: string, undo: () => void): void => {
  const id = showNotification(
    <Group justify="space-between" gap="xs">
      <span>{message}</span>
      <Button
        variant="default"
        size="compact-sm"
        onClick={() => {
          notifications.hide(id);
          undo();
        }}
      >
        Undo
      </Button>
    </Group>,
    // Long enough to be read and reached with the keyboard.
    8_000,
  );
};
