/**
 * Writes a page with the vehicles of a dealer that are for sale. Run it every few minutes, with Node 22.18 or newer or
 * with Bun, where the dealer's website is made. The key stays there: the page has none.
 *
 *     SERVICE=http://localhost:3000 API_KEY=vis_web_... node website.ts > vehicles.html
 */
interface Vehicle {
  readonly title: string | null;
  readonly price: number;
  readonly mileage: number | null;
  readonly primary_image: { readonly image_url: string } | null;
}
interface Settings {
  readonly currency: string;
  readonly distance_unit: "mi" | "km";
}

const { SERVICE = "", API_KEY = "" } = process.env;

const get = async <Body>(path: string): Promise<Body> => {
  const response = await fetch(SERVICE + path, { headers: { "X-API-Key": API_KEY } });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()) as Body;
};

/** Text of the service as text of the page, whatever it contains. */
const html = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const { currency, distance_unit } = await get<Settings>("/api/settings");
const { vehicles } = await get<{ readonly vehicles: readonly Vehicle[] }>(
  "/api/vehicles?status=available&sort=price&include=primary_image&limit=1000",
);
const money = new Intl.NumberFormat("en-US", { style: "currency", currency });
const whole = new Intl.NumberFormat("en-US");

const cardOf = ({ title, price, mileage, primary_image }: Vehicle): string => {
  const photo = primary_image === null ? "" : `<img src="${html(primary_image.image_url)}" alt="" loading="lazy">`;
  const distance = mileage === null ? "" : `<p>${whole.format(mileage)} ${distance_unit}</p>`;
  return `<li>${photo}<h2>${html(title ?? "")}</h2><p>${money.format(price)}</p>${distance}</li>`;
};

process.stdout.write(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Our vehicles</title>
<h1>Our vehicles</h1>
<ul>
${vehicles.map(cardOf).join("\n")}
</ul>
</html>
`);
