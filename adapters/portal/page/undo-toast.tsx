import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { showNotification } from "./notifications.ts";

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
