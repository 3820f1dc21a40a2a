import { ActionIcon, Menu } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { useRef } from "react";
import { Link } from "wouter";

/** A menu item: an action, or a link to a page. */
export type MenuItem =
  | { readonly label: string; readonly onClick: () => void }
  | { readonly label: string; readonly to: string };

interface RecordMenuProps {
  /** The record's name, for the button's label. */
  readonly name: string;
  /** The items; `false` items are left out. */
  readonly items: readonly (MenuItem | false)[];
  /** True on a record's page, where the button is next to others. */
  readonly withBorder?: boolean;
}

/** The ••• menu of a record for rare or destructive actions. Only the confirmation that follows is red. */
export const RecordMenu = ({ name, items, withBorder = false }: RecordMenuProps) => {
  const button = useRef<HTMLButtonElement>(null);
  const lines = items.filter((item) => item !== false);
  if (lines.length === 0) return null;
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon
          ref={button}
          variant={withBorder ? "default" : "subtle"}
          color="gray"
          size={withBorder ? 36 : 28}
          aria-label={`Actions for ${name}`}
        >
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {lines.map((item) =>
          "to" in item ? (
            <Menu.Item key={item.label} component={Link} href={item.to}>
              {item.label}
            </Menu.Item>
          ) : (
            <Menu.Item
              key={item.label}
              onClick={() => {
                // The chosen menu item disappears; the dialog returns the focus to the button.
                button.current?.focus();
                item.onClick();
              }}
            >
              {item.label}
            </Menu.Item>
          ),
        )}
      </Menu.Dropdown>
    </Menu>
  );
};
