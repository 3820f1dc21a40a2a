/**
 * Gives the memory of bytes back at once, which the collector would do many photos later. Nothing may use them any more.
 * Bytes that are a part of others stay.
 */
export const release = (bytes: Uint8Array): void => {
  if (bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength) bytes.buffer.transfer(0);
};
