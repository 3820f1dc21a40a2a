/** The properties of a resource that are used in more than one place. */
interface Traits {
  /** The word for one record of the resource. Names of operations begin with it, and messages contain it. */
  readonly record: string;
  /** The name of the resource in the OpenAPI document and in the portal. */
  readonly title: string;
  readonly description: string;
  /** True if there are permissions for the resource. Otherwise its operations need a permission of another resource. */
  readonly permitted: boolean;
  /** True if the audit log records changes of the resource. */
  readonly audited: boolean;
}

/**
 * THE list of the service's resources. Failures, permissions, the audit log's resources, the tags of the OpenAPI
 * document and the portal's words are derived from it. Append only: databases store permissions by their position in
 * this list.
 */
export const RESOURCE_TRAITS = {
  vehicles: {
    record: "vehicle",
    title: "Vehicles",
    description: "The vehicles of all dealers, or of the key's dealer.",
    permitted: true,
    audited: true,
  },
  images: {
    record: "image",
    title: "Images",
    description: "The images of a vehicle, in display order.",
    permitted: false,
    audited: true,
  },
  dealers: {
    record: "dealer",
    title: "Dealers",
    description: "Dealers, with their inventories and statistics.",
    permitted: true,
    audited: true,
  },
  keys: {
    record: "key",
    title: "API keys",
    description: "API keys, with their permissions, secrets and usage.",
    permitted: true,
    audited: true,
  },
  users: {
    record: "user",
    title: "Users",
    description: "Users. The keys of a user have the user's permissions.",
    permitted: true,
    audited: true,
  },
  audit: {
    record: "audit",
    title: "Audit log",
    description: "The changes that were made or refused, and who requested them.",
    permitted: true,
    audited: false,
  },
  overview: {
    record: "overview",
    title: "Overview",
    description: "Recent activity.",
    permitted: false,
    audited: false,
  },
  settings: {
    record: "settings",
    title: "Settings",
    description: "The name and logo of the installation, and its currency, distance unit and time zone.",
    permitted: false,
    audited: true,
  },
  sources: {
    record: "source",
    title: "Import sources",
    description: "Files of vehicles that are fetched and imported on a schedule.",
    permitted: false,
    audited: true,
  },
  reports: {
    record: "report",
    title: "Reports",
    description: "The vehicles that were added and sold, and those still on the lot.",
    permitted: false,
    audited: false,
  },
  imports: {
    record: "import",
    title: "Imports",
    description: "Files of vehicles that are imported in the background.",
    permitted: false,
    audited: true,
  },
  feeds: {
    record: "feed",
    title: "Feeds",
    description: "Files of vehicles that channels fetch.",
    permitted: true,
    audited: true,
  },
  webhooks: {
    record: "webhook",
    title: "Webhooks",
    description: "Messages about changes, which are sent to other services.",
    permitted: true,
    audited: true,
  },
  mappings: {
    record: "mapping",
    title: "Import mappings",
    description: "Named mappings of the columns of a dealer's files.",
    permitted: false,
    audited: true,
  },
  changes: {
    record: "change",
    title: "Changes",
    description: "What a copy of the inventory must do to be up to date.",
    permitted: false,
    audited: false,
  },
  schedules: {
    record: "schedule",
    title: "Scheduled changes",
    description: "Changes of prices and statuses that are made at a later time.",
    permitted: false,
    audited: true,
  },
} as const satisfies Readonly<Record<string, Traits>>;
type All = typeof RESOURCE_TRAITS;

/** The words for one record of each resource. */
export type RecordWord = All[keyof All]["record"];

/** The resources that have a trait. */
export type ResourceWith<Trait extends "permitted" | "audited"> = {
  [Name in keyof All]: All[Name][Trait] extends true ? Name : never;
}[keyof All];

/** The resources that have a trait, in the order of the list. */
export const resourcesWith = <Trait extends "permitted" | "audited">(trait: Trait): readonly ResourceWith<Trait>[] =>
  Object.entries<Traits>(RESOURCE_TRAITS).flatMap(([name, traits]) =>
    traits[trait] ? [name as ResourceWith<Trait>] : [],
  );

/** The resource that an operation is about. For example, `image.add` is about images. */
export const resourceOfOperation = (operation: `${RecordWord}.${string}`): keyof All => {
  const word = operation.slice(0, operation.indexOf("."));
  return (Object.keys(RESOURCE_TRAITS) as (keyof All)[]).find(
    (name) => RESOURCE_TRAITS[name].record === word,
  ) as keyof All;
};
