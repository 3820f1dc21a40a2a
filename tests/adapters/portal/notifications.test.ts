import { expect, test } from "bun:test";
import { notificationsStore } from "@mantine/notifications";
import { showNotification } from "../../../adapters/portal/page/notifications.ts";

test("the newest notification is shown at once, in place of the oldest of five, and none waits for its turn", () => {
  for (let number = 1; number <= 7; number++) showNotification(`Change ${number}`, 60_000);
  const { notifications, queue } = notificationsStore.getState();
  expect(notifications.map(({ message }) => message)).toEqual([3, 4, 5, 6, 7].map((number) => `Change ${number}`));
  expect(queue).toEqual([]);
});
