import {
  IconBroadcast,
  IconBuildingStore,
  IconCar,
  IconFileImport,
  IconGauge,
  IconHistory,
  IconKey,
  type IconProps,
  IconSettings,
  IconSunrise,
  IconUsers,
  IconWebhook,
} from "@tabler/icons-react";
import type { ComponentType } from "react";
import type { Permission } from "../../../core/permissions.ts";

/** A section of the portal, and the permission it needs. */
export interface NavSection {
  readonly to: string;
  readonly label: string;
  readonly needs: Permission;
  readonly icon: ComponentType<IconProps>;
  /** Another address of the same page. */
  readonly also?: string;
  /** True if only super-admins see it. */
  readonly superAdminsOnly?: boolean;
}

/** A group of sections. The first group has no heading. */
interface SectionGroup {
  readonly heading: string | null;
  readonly sections: readonly NavSection[];
}

const OVERVIEW = { label: "Overview", needs: "keys:read", icon: IconGauge } as const;

/**
 * The sections in groups, in the order of the navigation. Users of one dealer begin with its lot: for them, the
 * overview is about access.
 */
export const sectionGroups = (beginsWithLot: boolean): readonly SectionGroup[] => [
  {
    heading: null,
    sections: [
      beginsWithLot
        ? { to: "/", label: "Today", needs: "vehicles:read", icon: IconSunrise }
        : { to: "/", also: "/overview", ...OVERVIEW },
      { to: "/vehicles", label: "Vehicles", needs: "vehicles:read", icon: IconCar },
      { to: "/dealers", label: "Dealers", needs: "dealers:read", icon: IconBuildingStore },
    ],
  },
  {
    heading: "Access",
    sections: [
      { to: "/keys", label: "Keys", needs: "keys:read", icon: IconKey },
      { to: "/webhooks", label: "Webhooks", needs: "webhooks:read", icon: IconWebhook },
      { to: "/users", label: "Users", needs: "users:read", icon: IconUsers },
      { to: "/audit", label: "Audit", needs: "audit:read", icon: IconHistory },
      ...(beginsWithLot ? [{ to: "/overview", ...OVERVIEW }] : []),
    ],
  },
  {
    heading: "Inventory files",
    sections: [
      { to: "/imports", label: "Import", needs: "vehicles:write", icon: IconFileImport },
      { to: "/channels", label: "Channels", needs: "feeds:read", icon: IconBroadcast },
    ],
  },
  {
    heading: "Installation",
    sections: [{ to: "/settings", label: "Settings", needs: "users:write", icon: IconSettings, superAdminsOnly: true }],
  },
];

/** True if the path is a section's own or below it. */
export const isWithin = ({ to, also }: NavSection, path: string): boolean =>
  path === to || path === also || (to !== "/" && path.startsWith(`${to}/`));
