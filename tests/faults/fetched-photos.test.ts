import { expect, setDefaultTimeout } from "bun:test";
import { mkdirSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Import } from "../../core/imports/import.ts";
import { afterExit } from "../support/after-exit.ts";
import { deepTest } from "../support/deep-test.ts";
import { SEED } from "../support/depth.ts";
import { connect } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { BOOTSTRAP_KEY, type Instance, launchInstance, untilReady } from "../support/instances.ts";
import { jpegPhoto } from "../support/photos.ts";
import { rowsOf } from "../support/program.ts";
import { dealerBody } from "../support/sample-records.ts";
import { scratchFolder } from "../support/scratch-folder.ts";

setDefaultTimeout(300_000);

const scratch = scratchFolder("vehicle-inventory-fetched-photos-");
afterExit('rm -rf "$1"', scratch);

const PHOTOS = 6;
/** How many photos were asked for when the service is killed. */
const moments = Array.from({ length: 12 }, (_, round) => 1 + ((SEED * 31 + round * 7919) % (PHOTOS - 1)));

// In the gate, tests/contracts/fetched-photos.test.ts has leases that are lost.
for (const [round, moment] of moments.entries())
  deepTest(`a service that is killed while it fetches photos has each of them once, number ${round + 1}`, async () => {
    const folder = join(scratch, String(round));
    mkdirSync(folder);
    const database = join(folder, "inventory.db");
    const environment = {
      DATABASE_URL: `sqlite:${database}`,
      BOOTSTRAP_API_KEY: BOOTSTRAP_KEY,
      EGRESS_ALLOW: "127.0.0.0/8",
    };
    const photos = await Promise.all(Array.from({ length: PHOTOS }, (_, number) => jpegPhoto(64, 48, number)));
    let asked = 0;
    let victim: Instance | null = null;
    const site = createServer((request, response) => {
      if (++asked === moment) victim?.signal("SIGKILL");
      const path = request.url ?? "";
      // The last one is not there, which is said once.
      if (path === `/${PHOTOS}`) response.writeHead(404).end();
      else response.end(photos[Number(path.slice(1))]);
    });
    await new Promise<void>((resolve) => void site.listen(0, "127.0.0.1", resolve));
    const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    const ask = async <Answer>(instance: Instance, method: string, path: string, body?: string, type = "text/csv") => {
      const headers = { "x-api-key": BOOTSTRAP_KEY, "content-type": type };
      const reply = await fetch(instance.url + path, { method, headers, ...(body !== undefined && { body }) });
      return (await reply.json()) as Answer;
    };

    victim = await untilReady(launchInstance(environment));
    const dealer = await ask<{ id: number }>(
      victim,
      "POST",
      "/api/dealers",
      JSON.stringify(dealerBody()),
      "application/json",
    );
    const rows = Array.from(
      { length: PHOTOS + 1 },
      (_, number) => `A${number},2020,Kia,Rio,9000,${origin}/${number}\n`,
    );
    const file = `Stock,Year,Make,Model,Price,Photos\n${rows.join("")}`;
    const { id } = await ask<Import>(victim, "POST", `/api/imports?dealer_id=${dealer.id}&fetch_images=true`, file);
    await victim.exited;
    // Its lease ends.
    const db = connect(environment.DATABASE_URL);
    await db
      .updateTable("jobs")
      .set({ lease_until: "2000-01-01T00:00:00.000Z" })
      .where("owner", "is not", null)
      .execute();
    await db.close();

    const next = await untilReady(launchInstance(environment));
    const done = await eventually(
      () => ask<Import>(next, "GET", `/api/imports/${id}`),
      ({ images }) => images?.waiting === 0,
    );
    next.signal("SIGTERM");
    await next.exited;
    site.close();
    expect(done.images).toEqual({ waiting: 0, fetched: PHOTOS, failed: 1, problem: null });
    expect(done.counts.warnings).toBe(1);
    const images = rowsOf(database, "SELECT image_url FROM vehicle_images ORDER BY vehicle_id");
    expect(images.filter(({ image_url }) => String(image_url).startsWith("photo:")).length).toBe(PHOTOS);
    const named = rowsOf(database, "SELECT photo_id FROM photos ORDER BY photo_id").map(({ photo_id }) =>
      String(photo_id),
    );
    expect(named.length).toBe(PHOTOS);
    // A photo that was stored without its row is one of the files that go after a day.
    const shelves = readdirSync(join(folder, "images"));
    const stored = shelves.flatMap((shelf) => readdirSync(join(folder, "images", shelf)));
    expect(named.filter((photoId) => !stored.includes(photoId))).toEqual([]);
  });
