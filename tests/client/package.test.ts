import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { buildProgram, buildTypes } from "../../client/build.ts";
import { deepTest } from "../support/deep-test.ts";
import { DEEP } from "../support/depth.ts";
import { ANSWERING } from "../support/engines.ts";
import { jpegPhoto } from "../support/photos.ts";
import { create, dealerBody, NORTH, NORTH_CAR, vehicleBody } from "../support/sample-records.ts";
import { scratchFolder } from "../support/scratch-folder.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const CLIENT = join(import.meta.dir, "../../client");
const KIB = 1024;
const GZIPPED_LIMIT = 15 * KIB;

/** What a program does with the package: it lists, changes the version that it read, uploads, follows, and is refused. */
const USE = `
const inventory = new VehicleInventory({ apiKey, baseUrl });
const makes = [];
for await (const vehicle of inventory.vehicles.list({ limit: 1, status: "available" })) makes.push(vehicle.make);
const [vehicle] = (await inventory.vehicles.list({ dealerId: ${NORTH} }).page()).items;
const { price } = await inventory.vehicles.update(vehicle.id, { price: 4321 }, { ifMatch: vehicle });
const stale = await inventory.vehicles.update(vehicle.id, { price: 1 }, { ifMatch: vehicle }).catch((error) => error);
const image = await inventory.images.upload(${NORTH_CAR}, photo, { alt: "Front" });
const imported = await inventory.imports.run("Stock,Make,Model,Year,Price\\nP-" + name + ",Kia,Rio,2021,9\\n", { dealerId: ${NORTH} }).result();
const kinds = new Set();
for await (const page of inventory.changes.follow().pages()) {
  for (const { kind } of page.changes) kinds.add(kind);
  if (!page.more) break;
}
const result = {
  makes: makes.length > 1,
  price,
  refused: [stale instanceof PreconditionFailed, stale.code],
  alt: image.alt,
  created: imported.counts.created,
  kinds: [...kinds].sort(),
};
`;
const DONE = {
  makes: true,
  price: 4321,
  refused: [true, "precondition_failed"],
  alt: "Front",
  created: 1,
  kinds: ["dealer", "image", "vehicle"],
};

/** What the README's examples use of Node. */
const NODE = `
declare const process: { env: Record<string, string | undefined> };
declare module "node:fs" { export const openAsBlob: (path: string) => Promise<Blob>; }
`;

/** Code of a user, and mistakes that the types must detect, each in a line. */
const TYPED = `
import { InvalidInput, type Vehicle, VehicleInventory } from "vehicle-inventory-client";
const inventory = new VehicleInventory({ apiKey: "a", baseUrl: "https://cars.example.com" });
const vehicle: Vehicle = await inventory.vehicles.get(1, { include: ["images"] });
const title: string | null = vehicle.title;
for await (const { price } of inventory.vehicles.list({ make: ["Kia"], status: "sold", minPrice: 1 })) price.toFixed();
for await (const step of inventory.changes.follow())
  if (step.op === "upsert" && step.kind === "vehicle") step.record.make.trim();
  else if (step.op === "remove") step.id.toFixed();
  else step.cursor?.trim();
for await (const step of inventory.changes.stream({ after: "now" }))
  if (step.op === "upsert" && step.kind === "vehicle") step.record.make.trim();
  else if (step.op === "begin" || step.op === "idle") step.cursor.trim();
const opened: Response = await inventory.changes.stream();
const issues = (error: unknown) => (error instanceof InvalidInput ? error.issues.map(({ path }) => path) : []);
await inventory.images.update({ id: 1, imageId: 2 }, { alt: title });
`;
const MISTAKES = [
  'await inventory.vehicles.list({ status: "stolen" }).page();',
  "await inventory.vehicles.list({ min_price: 1 }).page();",
  'await inventory.vehicles.create({ make: "Kia" });',
  "const year: string = vehicle.year;",
  "for await (const step of inventory.changes.follow()) step.id;",
  "for await (const step of inventory.changes.stream()) step.record.make;",
  "await inventory.images.update(1, { alt: null });",
  "await inventory.vehicles.get(1, {}, { ifMatch: vehicle });",
];

/** The examples of the README as one program, each in a scope of its own but for the first, which makes the client. */
const examplesOf = (readme: string): string => {
  const blocks = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, code = ""]) => code);
  const imports = new Map<string, Set<string>>();
  for (const [, names = "", from = ""] of blocks.join("").matchAll(/^import \{ (.*) \} from "(.*)";/gm))
    imports.set(from, new Set([...(imports.get(from) ?? []), ...names.split(", ")]));
  const heads = [...imports].map(([from, names]) => `import { ${[...names].join(", ")} } from "${from}";`);
  const [first, ...others] = blocks.map((block) => block.replaceAll(/^import .*\n/gm, ""));
  return [...heads, first, ...others.map((block) => `{\n${block}}`)].join("\n");
};

/** Runs a command to its end, and gives what it printed. */
const run = async (cwd: string, command: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> => {
  const child = Bun.spawn([...command], { cwd, env: { ...process.env, ...env }, stdout: "pipe", stderr: "pipe" });
  const [printed, complaint] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")}: ${complaint}${printed}`);
  return printed;
};

for (const engine of ANSWERING.slice(0, 1))
  describe("the package of the client", () => {
    const fixture = serviceFixture(engine, { EGRESS_ALLOW: "127.0.0.0/8" });
    const folder = scratchFolder("client-package-");
    const user = join(folder, "user");

    // As \`npm pack\` in \`client/\` does after its build; the types take a compiler, which only the deep run starts.
    beforeAll(async () => {
      const made = join(folder, "package");
      for (const part of ["package.json", "README.md", "docs"])
        cpSync(join(CLIENT, part), join(made, part), { recursive: true });
      await buildProgram(join(made, "dist"));
      if (DEEP) await buildTypes(join(made, "dist"));
      await run(made, ["npm", "pack", "--ignore-scripts", "--silent", "--pack-destination", folder]);
      mkdirSync(user);
      await Bun.write(join(user, "package.json"), '{ "private": true, "type": "module" }');
      const [tarball = ""] = [...new Bun.Glob("*.tgz").scanSync({ cwd: folder, absolute: true })];
      await run(user, ["npm", "install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts", tarball]);
    });
    afterAll(() => run("/", ["rm", "-rf", folder]));
    const inPackage = (file: string) => Bun.file(join(user, "node_modules/vehicle-inventory-client", file));

    test("is small, needs nothing, and has its documentation", async () => {
      const program = await inPackage("dist/index.js").text();
      expect(Bun.gzipSync(program, { level: 9 }).length).toBeLessThan(GZIPPED_LIMIT);
      expect(program.match(/^import .*|\bimport\(|\brequire\(|\b(?:process|Buffer|Deno|Bun)\./gm)).toBeNull();
      expect(await Promise.all([inPackage("README.md").exists(), inPackage("docs/methods.md").exists()])).toEqual([
        true,
        true,
      ]);
      expect([...new Bun.Glob("**").scanSync(join(user, "node_modules"))].some((file) => file.includes("/src/"))).toBe(
        false,
      );
    });

    test("works in Node", async () => {
      const photo = `Buffer.from("${(await jpegPhoto(40, 30)).toString("base64")}", "base64")`;
      const head = `import { PreconditionFailed, VehicleInventory } from "vehicle-inventory-client";
        const [apiKey, baseUrl] = process.argv.slice(2); const name = "node"; const photo = ${photo};`;
      await Bun.write(join(user, "use.js"), `${head}${USE}console.log(JSON.stringify(result));`);
      const printed = await run(user, ["node", "use.js", fixture.service.superAdminKey, fixture.service.url]);
      expect(JSON.parse(printed)).toEqual(DONE);
    });

    test("has a README whose examples work as they are", async () => {
      const { api, service } = fixture;
      await create(api, "/api/dealers", dealerBody());
      for (let id = 0; id < 12; ) ({ id } = await create(api, "/api/vehicles", vehicleBody(NORTH, { make: "Toyota" })));
      await api("DELETE", `/api/vehicles/${NORTH_CAR}`);
      await Bun.write(join(user, "front.jpg"), await jpegPhoto(50, 30));
      await Bun.write(join(user, "cars.csv"), "Stock,Make,Model,Year,Cost,Notes\nR-1,Kia,Rio,2021,9000,x\n");
      const code = examplesOf(await inPackage("README.md").text());
      // No name is looked up in a test.
      await Bun.write(join(user, "readme.js"), code.replace("https://hooks.example.com/", "http://127.0.0.1:9009/"));
      const printed = await run(user, ["node", "readme.js"], { API_KEY: service.superAdminKey, SERVICE: service.url });
      const expected = ["true", "completed 1 0 0", "year must be", " has begun", "vis_web_site_"];
      expect(expected.filter((line) => !printed.includes(line))).toEqual([]);
    });

    deepTest("works in a page of a browser, from another origin", async () => {
      const photo = `Uint8Array.from(atob("${(await jpegPhoto(44, 30)).toString("base64")}"), (sign) => sign.charCodeAt(0))`;
      const head = `import { PreconditionFailed, VehicleInventory } from "/index.js";
        const [apiKey, baseUrl, name] = ${JSON.stringify([fixture.service.superAdminKey, fixture.service.url, "page"])};
        const photo = ${photo};`;
      const page = `<!doctype html><title>waits</title><script type="module">${head}${USE}
        document.title = JSON.stringify(result);</script>`;
      await using site = Bun.serve({
        port: 0,
        hostname: "127.0.0.1",
        routes: {
          "/": new Response(page, { headers: { "content-type": "text/html" } }),
          "/index.js": new Response(await inPackage("dist/index.js").bytes(), {
            headers: { "content-type": "text/javascript" },
          }),
        },
      });
      const { launchBrowser } = await import("../../bench/chromium.ts");
      const browser = await launchBrowser();
      try {
        const tab = await browser.newPage();
        const faults: string[] = [];
        tab.on("pageerror", (error) => faults.push(error.message));
        await tab.goto(site.url.href);
        await tab.waitForFunction("document.title !== 'waits'", undefined, { timeout: 0 });
        expect([faults, JSON.parse(await tab.title())]).toEqual([[], DONE]);
      } finally {
        await browser.close();
      }
    });

    deepTest("has types that name what there is, and detect mistakes", async () => {
      const { default: ts } = await import("typescript");
      const readme = join(user, "readme-types.js");
      await Bun.write(readme, examplesOf(await inPackage("README.md").text()));
      await Bun.write(join(user, "node.d.ts"), NODE);
      const files = ["right", ...MISTAKES.keys()].map((name) => join(user, `typed-${name}.ts`));
      for (const [index, file] of files.entries()) await Bun.write(file, TYPED + (MISTAKES[index - 1] ?? ""));
      const program = ts.createProgram([...files, readme, join(user, "node.d.ts")], {
        strict: true,
        allowJs: true,
        checkJs: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        types: [],
        lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.NodeNext,
        moduleResolution: ts.ModuleResolutionKind.NodeNext,
      });
      const found = ts.getPreEmitDiagnostics(program);
      const faultsIn = (name: string) =>
        found
          .filter(({ file }) => file?.fileName === name)
          .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
      expect(
        found.filter(({ file }) => !files.includes(file?.fileName ?? "")).map(({ messageText }) => messageText),
      ).toEqual([]);
      expect(faultsIn(files[0] ?? "")).toEqual([]);
      expect(files.slice(1).map((file) => faultsIn(file).length)).toEqual(MISTAKES.map(() => 1));
    });
  });
