import {
  IconBuildingStore,
  IconGauge,
  IconHistory,
  IconKey,
  type IconProps,
  IconUserCircle,
  IconUsers,
} from "@tabler/icons-react";
import type { ComponentType } from "react";
import type { Permission } from "../../../core/access/permissions.ts";

/** A section of the portal, and the permission it needs. */
interface Section {
  readonly to: string;
  readonly label: string;
  readonly needs: Permission | null;
  readonly icon: ComponentType<IconProps>;
}

/** The sections in the order of the navigation. */
export const SECTIONS: readonly Section[] = [
  { to: "/", label: "Overview", needs: "keys:read", icon: IconGauge },
  { to: "/keys", label: "Keys", needs: "keys:read", icon: IconKey },
  { to: "/users", label: "Users", needs: "users:read", icon: IconUsers },
  { to: "/dealers", label: "Dealers", needs: "dealers:read", icon: IconBuildingStore },
  { to: "/audit", label: "Audit", needs: "audit:read", icon: IconHistory },
  { to: "/account", label: "Account", needs: null, icon: IconUserCircle },
];
