/** A file did not arrive whole, or its form or packing is broken: it says which. */
export class BrokenUpload extends Error {
  override readonly name = "BrokenUpload";
}
