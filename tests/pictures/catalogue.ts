import type { Visit } from "../support/portal.ts";

/** A picture of a page or dialog of the portal. */
export interface Picture {
  /** The name of its files in docs/screenshots. */
  readonly name: string;
  /** The address within the portal. */
  readonly path: string;
  /** Steps on the page before the picture. */
  readonly act?: (visit: Visit) => Promise<unknown>;
}

const fillKey = async (visit: Visit): Promise<void> => {
  await visit.fill({ Name: "Auction terminal", "App id": "auction-terminal" });
  await visit.choose("App type", "desktop");
  await visit.choose("Dealer", "Cedar Ridge Auto Sales");
};

const search = async (visit: Visit): Promise<void> => {
  await visit.press(/^Search everywhere/);
  await visit.page.getByRole("combobox", { name: "Search everywhere" }).fill("harbor");
  await visit.shows(visit.page.getByRole("option").filter({ hasText: "Harbor Motors" }).first());
};

const revokeTwo = async (visit: Visit): Promise<void> => {
  for (const name of ["Partner feed", "Service desk"]) await visit.field(`Select ${name}`).check();
  await visit.press("Revoke…");
};

const lowerPrices = async (visit: Visit): Promise<void> => {
  await visit.click(visit.field("Select all on this page"));
  await visit.press("Price…");
  await visit.fill({ Percent: "3", "Never below": "15000" });
  await visit.choose("Rounded", "ending_95");
  await visit.reads(/^from \$/);
};

/** Types a condition into the first row of the sheet, and fills it down over two others. */
const fillDown = async (visit: Visit): Promise<void> => {
  const { keyboard } = visit.page;
  await visit.click(visit.page.locator('[data-cell="0 7"]'));
  await keyboard.type("certified");
  await keyboard.press("Enter");
  await keyboard.press("ArrowUp");
  for (const press of ["Shift+ArrowDown", "Shift+ArrowDown", "Control+d"]) await keyboard.press(press);
  await visit.reads(/^\d changes? in /);
};

const leave = async (visit: Visit): Promise<void> => {
  await visit.fill({ Name: "Auction terminal" });
  await visit.follow("Cancel");
};

/** A spreadsheet of another system, with an unknown column. */
const SPREADSHEET = `Stk;Yr;Manufacturer;Model;Lot Price;Odo;Farbe
HM-301;2021;Toyota;Corolla;19.990,00;31.200;Silver
HM-302;2019;Honda;Accord;18.450,00;45.210;Blue
HM-303;2022;Kia;Sportage;24.300,00;20.040;White
`;

const chooseFile = async (visit: Visit): Promise<void> => {
  const file = { name: "spreadsheet.csv", mimeType: "text/csv", buffer: Buffer.from(SPREADSHEET) };
  await visit.field("File").setInputFiles(file);
  await visit.choose("Dealer", "Harbor Motors");
  // The position to which the click scrolled varies.
  await visit.page.evaluate("scrollTo(0, 0)");
};

/** Chooses a photo as an iPhone saves it, which is refused. */
const chooseHeic = async (visit: Visit): Promise<void> => {
  const buffer = Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1");
  visit.expects("415 POST /portal/api/vehicles/1/images");
  await visit.shows(visit.button("Choose photos"));
  await visit.page
    .locator("input[type=file][multiple]")
    .setInputFiles({ name: "IMG_0001.HEIC", mimeType: "image/heic", buffer });
  await visit.reads(/^Not taken: /);
  await visit.button("Take IMG_0001.HEIC off this list").scrollIntoViewIfNeeded();
};

/** Scrolls to a section of a long page. */
const lookAt = (visit: Visit, section: string): Promise<void> => visit.section(section).scrollIntoViewIfNeeded();

const fillSource = async (visit: Visit): Promise<void> => {
  await visit.fill({ Name: "Evening file", Address: "https://files.example.com/evening.csv" });
  await visit.choose("Dealer", "Summit Volkswagen");
  await visit.choose("Credentials", "User and password");
  await visit.fill({ User: "summit" });
};

/** Opens an entry of the ••• menu of a record. */
const open =
  (record: string, action: string) =>
  (visit: Visit): Promise<void> =>
    visit.act(record, action);

/** Pages and dialogs of an installation in use, as its super-admin sees them. */
export const PICTURES: readonly Picture[] = [
  { name: "overview", path: "/" },
  { name: "dealers", path: "/dealers" },
  { name: "new-dealer", path: "/dealers/new" },
  { name: "inventory", path: "/dealers/1" },
  { name: "today", path: "/dealers/1?tab=today" },
  { name: "walk", path: "/walk/1", act: (visit) => visit.reads(/^Kept on this device/) },
  { name: "dealer-keys", path: "/dealers/1?tab=keys" },
  { name: "dealer-details", path: "/dealers/1?tab=details" },
  { name: "vehicles", path: "/vehicles" },
  { name: "vehicle-cards", path: "/vehicles?look=cards" },
  { name: "vehicle", path: "/vehicles/1" },
  { name: "photo-refused", path: "/vehicles/1", act: chooseHeic },
  { name: "dialog-photo", path: "/vehicles/1", act: (visit) => visit.press("Show in the whole window") },
  { name: "dialog-edit-image", path: "/vehicles/1", act: (visit) => visit.press("Edit image 2") },
  { name: "report", path: "/vehicles/report" },
  { name: "dealer-report", path: "/dealers/1?tab=report" },
  { name: "removed-vehicles", path: "/vehicles/removed" },
  { name: "sheet", path: "/vehicles/sheet", act: fillDown },
  { name: "recent-changes", path: "/vehicles/changes" },
  { name: "scheduled-changes", path: "/vehicles/scheduled" },
  {
    name: "dialog-schedule-change",
    path: "/vehicles/1",
    act: async (visit) => {
      await visit.act("2024 Toyota Camry", "Schedule a change");
      await visit.fill({ Price: "24990" });
    },
  },
  { name: "new-vehicle-of-any", path: "/vehicles/new" },
  { name: "new-vehicle", path: "/dealers/1/vehicles/new" },
  { name: "keys", path: "/keys" },
  { name: "key", path: "/keys/3" },
  { name: "unused-key", path: "/keys/8" },
  { name: "new-key", path: "/keys/new", act: fillKey },
  { name: "users", path: "/users" },
  { name: "user", path: "/users/1" },
  { name: "new-user", path: "/users/new" },
  { name: "imports", path: "/imports" },
  { name: "new-import", path: "/imports/new", act: chooseFile },
  { name: "import", path: "/imports/1" },
  { name: "sources", path: "/imports/sources" },
  { name: "new-source", path: "/imports/sources/new", act: fillSource },
  { name: "source", path: "/imports/sources/1" },
  { name: "channels", path: "/channels" },
  { name: "new-feed", path: "/channels/new" },
  { name: "feed", path: "/channels/1" },
  { name: "feed-vehicles", path: "/channels/1?severity=error", act: (visit) => lookAt(visit, "Vehicles") },
  { name: "vehicle-channels", path: "/vehicles/2", act: (visit) => lookAt(visit, "Channels") },
  { name: "webhooks", path: "/webhooks" },
  { name: "new-webhook", path: "/webhooks/new" },
  { name: "webhook", path: "/webhooks/1", act: (visit) => visit.page.getByText("2 tries, the last: 200").click() },
  { name: "audit", path: "/audit" },
  { name: "settings", path: "/settings" },
  { name: "account", path: "/account" },
  { name: "nothing-found", path: "/keys?q=nothing" },
  { name: "dialog-edit-key", path: "/keys/3", act: (visit) => visit.press("Edit") },
  { name: "dialog-edit-source", path: "/imports/sources/2", act: (visit) => visit.press("Edit") },
  { name: "dialog-rotate", path: "/keys/3", act: (visit) => visit.press("Rotate") },
  { name: "palette", path: "/overview", act: search },
  { name: "dialog-several-keys", path: "/keys", act: revokeTwo },
  { name: "dialog-several-prices", path: "/dealers/1", act: lowerPrices },
  { name: "dialog-revert-change", path: "/vehicles/changes", act: (visit) => visit.press(/^Revert: /) },
  { name: "dialog-discard", path: "/keys/new", act: leave },
  { name: "dialog-deactivate-user", path: "/users/2", act: (visit) => visit.press("Deactivate user…") },
  { name: "dialog-rotate-feed", path: "/channels/1", act: (visit) => visit.press("Rotate address") },
  { name: "dialog-recover-webhook", path: "/webhooks/2", act: open("Harbor's CRM", "Send what was missed…") },
  { name: "dialog-revoke", path: "/keys/3", act: open("Showroom website", "Revoke") },
];

/** Pages of an installation without any records. */
export const FIRST_PICTURES: readonly Picture[] = [
  { name: "first-steps", path: "/" },
  { name: "no-dealers", path: "/dealers" },
];

/** Pages before the sign-in. */
export const PUBLIC_PICTURES: readonly Picture[] = [{ name: "sign-in", path: "/" }];
