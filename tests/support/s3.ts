import { join } from "node:path";
import S3rver from "s3rver";
import type { BucketAccess } from "../../adapters/photos/s3.ts";
import { afterExit } from "./after-exit.ts";
import { scratchFolder } from "./scratch-folder.ts";

const folder = scratchFolder("vehicle-inventory-s3-");
afterExit('rm -rf "$1"', folder);

/** A server that speaks the protocol of S3. */
export interface S3Server {
  readonly access: BucketAccess;
  close(): Promise<void>;
}

let servers = 0;

/** Starts a server with one bucket. */
export const startS3 = async (prefix = ""): Promise<S3Server> => {
  const bucket = "photos";
  const server = new S3rver({
    port: 0,
    address: "127.0.0.1",
    silent: true,
    directory: join(folder, String(++servers)),
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  const { port } = await server.run();
  return {
    access: {
      bucket,
      prefix,
      accessKeyId: "S3RVER",
      secretAccessKey: "S3RVER",
      endpoint: `http://127.0.0.1:${port}`,
    },
    close: () => server.close(),
  };
};
