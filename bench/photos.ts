import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { addDealer, KEY, liftRateLimit, requestJson } from "./calls.ts";
import { LOAD_CORE, leaveServerCore, onCore, PINNED, SERVER_CORE } from "./cores.ts";
import { Histogram } from "./histogram.ts";
import { printProgress } from "./output.ts";
import { freePort } from "./ports.ts";
import { cpuMicrosOf, memoryOf } from "./proc.ts";
import { type Service, startService } from "./service.ts";
import { table, times } from "./table.ts";

/**
 * Measures photos on a folder: the CPU of an upload beside its codecs alone, memory and others' reads while 32 photos of
 * 12 megapixels are sent at once, and delivery beside the runtime's own sending and nginx, if that is installed.
 */
const UPLOADS = 32;
const [WIDTH, HEIGHT] = [4000, 3000];
const SINGLE_UPLOADS = 5;
const ROUNDS = 5;
/** Rounds in which the runtimes still compile. */
const WARM_ROUNDS = 4;
const REQUESTS = 4000;
const CONNECTIONS = 8;
const CALM_SECONDS = 5;
const PROBE_PAUSE_MS = 1;
const LIMITLESS = 2_147_483_647;

const chunk = (name: string, content: Uint8Array): Buffer => {
  const made = Buffer.alloc(12 + content.length);
  made.writeUInt32BE(content.length, 0);
  made.write(name, 4, "latin1");
  made.set(content, 8);
  made.writeUInt32BE(Bun.hash.crc32(made.subarray(4, -4)), made.length - 4);
  return made;
};

/** A JPEG as a camera makes it: soft shapes with grain, some 3 MB. */
const cameraPhoto = async (): Promise<Buffer> => {
  const rows = Buffer.alloc((WIDTH * 3 + 1) * HEIGHT);
  let state = 1;
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      const light = 128 + 60 * Math.sin(x / 170) + 50 * Math.cos(y / 90 + x / 400) + ((state >>> 28) - 8);
      const green = light * 0.8 + 40 * Math.sin((x + y) / 33);
      const at = y * (WIDTH * 3 + 1) + 1 + x * 3;
      for (const [place, value] of [light, green, 255 - light].entries())
        rows[at + place] = Math.max(0, Math.min(255, value));
    }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(WIDTH, 0);
  head.writeUInt32BE(HEIGHT, 4);
  head.set([8, 2], 8);
  const png = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows, { level: 1 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
  return Buffer.from(await new Bun.Image(png).jpeg({ quality: 92 }).bytes());
};

/** The same photo with a number in a comment, so that no two have the same bytes. */
const numbered = (jpeg: Buffer, number: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xfe, 0, 4, number >> 8, number & 255]), jpeg.subarray(2)]),
  );

/** The CPU seconds of decoding a photo once, and encoding its four variants in both formats. */
const cpuOfCodecs = async (jpeg: Buffer): Promise<number> => {
  const before = process.cpuUsage();
  let pixels: Uint8Array = jpeg;
  for (const width of [2560, 1200, 800, 200]) {
    pixels = await new Bun.Image(pixels).resize(width, 65_535, { fit: "inside" }).png({ compressionLevel: 0 }).bytes();
    await new Bun.Image(pixels).webp({ quality: 78 }).bytes();
    await new Bun.Image(pixels).jpeg({ quality: 82 }).bytes();
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
};

interface Sent {
  readonly image_url: string;
}

const upload = async (
  service: Service,
  vehicle: number,
  { key, photo }: { key: string; photo: Uint8Array<ArrayBuffer> },
) => {
  const reply = await fetch(`${service.url}/api/vehicles/${vehicle}/images`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "image/jpeg" },
    body: photo,
  });
  if (!reply.ok) throw new Error(`an upload: ${reply.status} ${await reply.text()}`);
  return (await reply.json()) as Sent;
};

/** Reads a vehicle by its id, again and again while the work goes on; the 99th percentile in milliseconds. */
const p99MsDuring = async (service: Service, work: Promise<unknown>): Promise<number> => {
  const latencies = new Histogram();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const read = () =>
    new Promise<void>((resolve, reject) => {
      const sent = request(`${service.url}/api/vehicles/1`, { agent, headers: { "x-api-key": KEY } }, (response) => {
        response.resume();
        response.on("end", () => resolve());
      });
      sent.on("error", reject);
      sent.end();
    });
  let isOver = false;
  void work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const since = performance.now();
    await read();
    latencies.add((performance.now() - since) * 1000);
    await Bun.sleep(PROBE_PAUSE_MS);
  }
  await work;
  agent.destroy();
  return latencies.percentileMs(0.99);
};

/** The CPU microseconds that a server takes for a request, over some requests on kept connections. */
const cpuOfDelivery = async (pid: number, address: string): Promise<number> => {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const get = () =>
    new Promise<void>((resolve, reject) => {
      const sent = request(address, { agent }, (response) => {
        response.resume();
        response.on("end", () =>
          response.statusCode === 200 ? resolve() : reject(new Error(`${address}: ${response.statusCode}`)),
        );
      });
      sent.on("error", reject);
      sent.end();
    });
  const before = cpuMicrosOf(pid);
  let left = REQUESTS;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (left-- > 0) await get();
    }),
  );
  agent.destroy();
  return (cpuMicrosOf(pid) - before) / REQUESTS;
};

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;

const folder = await mkdtemp(join(tmpdir(), "vehicle-inventory-photos-"));
await chmod(folder, 0o755);
const images = join(folder, "images");
await mkdir(images);
process.env.IMAGE_STORAGE = images;

/** A server of the files alone. */
const startFiles = async (command: readonly string[], port: number, path: string) => {
  const child = Bun.spawn(onCore(SERVER_CORE, command), {
    env: { ...process.env, PORT: String(port), FOLDER: images },
    stdout: "ignore",
    stderr: "ignore",
  });
  while (!(await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null))?.ok) await Bun.sleep(50);
  return { pid: child.pid, address: `http://127.0.0.1:${port}${path}`, stop: () => child.kill() };
};

const nginxConfig = (
  port: number,
): string => `daemon off; master_process off; error_log /dev/null; pid ${folder}/nginx.pid;
events {}
http { access_log off; sendfile on; keepalive_requests 1000000; types { image/jpeg jpg; }
  server { listen 127.0.0.1:${port}; root ${images}; } }`;

leaveServerCore();
printProgress("drawing a photo");
const jpeg = await cameraPhoto();
const service = await startService({ databaseUrl: `sqlite:${folder}/inventory.db`, folder });
await liftRateLimit(service.url);
const vehicles: number[] = [];
for (let number = 0; number < UPLOADS; number++) {
  const body = { dealer_id: await addDealer(service.url), make: "Kia", model: "Niro", year: 2025, price: 30_000 };
  vehicles.push((await requestJson<{ id: number }>(`${service.url}/api/vehicles`, { method: "POST", body })).id);
}
const keys = await Promise.all(
  Array.from({ length: 8 }, async (_, number) => {
    const body = {
      ...{ name: `Camera ${number}`, app_type: "desktop", app_id: "camera", rate_limit: LIMITLESS },
      permissions: [
        { resource: "vehicles", action: "read" },
        { resource: "vehicles", action: "write" },
      ],
    };
    return (await requestJson<{ api_key: string }>(`${service.url}/api/keys`, { method: "POST", body })).api_key;
  }),
);

printProgress("one upload after another");
await upload(service, vehicles[0] ?? 1, { key: keys[0] ?? "", photo: numbered(jpeg, 1000) });
await cpuOfCodecs(jpeg);
const ratios: number[] = [];
let shown: Sent = { image_url: "" };
for (let round = 0; round < SINGLE_UPLOADS; round++) {
  const codecs = await cpuOfCodecs(jpeg);
  const before = cpuMicrosOf(service.pid);
  shown = await upload(service, vehicles[0] ?? 1, { key: keys[0] ?? "", photo: numbered(jpeg, 1001 + round) });
  ratios.push((cpuMicrosOf(service.pid) - before) / 1e6 / codecs);
}

printProgress(`${UPLOADS} uploads at once`);
const calm = await p99MsDuring(service, Bun.sleep(CALM_SECONDS * 1000));
const beside = await p99MsDuring(
  service,
  Promise.all(
    vehicles.map((vehicle, number) =>
      upload(service, vehicle, { key: keys[number % keys.length] ?? "", photo: numbered(jpeg, number) }),
    ),
  ),
);
const { peakMb } = memoryOf(service.pid);

printProgress("delivery");
await service.stop();
const delivering = await startService({ databaseUrl: `sqlite:${folder}/inventory.db`, folder, core: SERVER_CORE });
const [, photoId = ""] = /([0-9a-f]{32})\/public$/.exec(shown.image_url) ?? [];
const path = `/${photoId.slice(0, 2)}/${photoId}/medium.jpg`;
const ports = { bare: freePort(), nginx: freePort() };
const bare = await startFiles([process.execPath, join(import.meta.dir, "bases/photo-files.ts")], ports.bare, path);
await Bun.write(join(folder, "nginx.conf"), nginxConfig(ports.nginx));
const nginx =
  Bun.which("nginx") === null
    ? null
    : await startFiles(["nginx", "-c", join(folder, "nginx.conf"), "-p", folder], ports.nginx, path);
const own = {
  pid: delivering.pid,
  address: `${delivering.url}${new URL(shown.image_url).pathname.replace(/public$/, "medium")}`,
};
const costs: Record<"own" | "bare" | "nginx", number[]> = { own: [], bare: [], nginx: [] };
for (let round = 0; round < WARM_ROUNDS + ROUNDS; round++)
  for (const [name, server] of Object.entries({ own, bare, ...(nginx !== null && { nginx }) })) {
    const cost = await cpuOfDelivery(server.pid, server.address);
    if (round >= WARM_ROUNDS) costs[name as keyof typeof costs].push(cost);
  }
bare.stop();
nginx?.stop();
await delivering.stop();

const rows: [string, number, number, (value: number) => string][] = [
  ["An upload, CPU beside its codecs", median(ratios), 1.5, times],
  [`Memory while ${UPLOADS} are sent at once, MB`, peakMb, 400, (value) => value.toFixed(0)],
  ["Reads by id meanwhile, p99 beside without", beside / calm, 5, times],
  ["Delivery, CPU beside Bun.file", median(costs.own) / median(costs.bare), 1.5, times],
];
const lines = rows.map(([what, value, most, form]) => [what, form(value), form(most)]);
const micros = (values: readonly number[]): string => `${median(values).toFixed(0)} µs`;
lines.push(
  ["Delivery, CPU of a request", micros(costs.own), "–"],
  ["the same by Bun.file alone", micros(costs.bare), "–"],
  ["the same by nginx", nginx === null ? "not installed" : micros(costs.nginx), "–"],
  ["p99 of reads by id, without and meanwhile", `${calm.toFixed(1)} and ${beside.toFixed(1)} ms`, "–"],
);
const where = PINNED ? `, the load on core ${LOAD_CORE}` : "";
process.stdout.write(`${table([`Photos of 12 megapixels in a folder${where}`, "Measured", "At most"], lines, 1)}\n`);
await rm(folder, { recursive: true, force: true });
process.exit(rows.every(([, value, most]) => value <= most) ? 0 : 1);
