/**
 * Gives a vehicle these photos, in this order, the first as its main photo. It may be repeated: photos that are there
 * stay. Run it with Node 22.18 or newer or with Bun:
 *
 *     SERVICE=http://localhost:3000 API_KEY=vis_... node photos.ts 17 https://images.example.com/17/front.jpg ...
 */
interface Image {
  readonly id: number;
  readonly image_url: string;
}

const { SERVICE = "", API_KEY = "" } = process.env;
const [vehicle = "", ...wanted] = process.argv.slice(2);
const path = `/api/vehicles/${vehicle}/images`;

const send = async <Body>(method: string, target: string, body?: object): Promise<Body> => {
  const response = await fetch(SERVICE + target, {
    method,
    headers: { "X-API-Key": API_KEY, "Content-Type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()) as Body;
};

const present = await send<readonly Image[]>("GET", `${path}?limit=1000`);
for (const { id, image_url } of present) if (!wanted.includes(image_url)) await send("DELETE", `${path}/${id}`);

const ids: number[] = [];
for (const image_url of wanted) {
  const image = present.find((one) => one.image_url === image_url);
  ids.push((image ?? (await send<Image>("POST", path, { image_url }))).id);
}
const [first] = ids;
if (first !== undefined) {
  await send("PUT", path, { image_ids: ids });
  await send("PUT", `${path}/${first}`, { is_primary: true });
}
process.stdout.write(`${ids.length} photos\n`);
