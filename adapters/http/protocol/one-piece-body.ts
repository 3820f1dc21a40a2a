/**
 * Up to this number of characters, which have at most 3 bytes each, a body and its headers fit into the runtime's send
 * buffer.
 */
const SHORT_CHARACTERS = 4000;

/**
 * The body of an answer that had to wait. A long body is sent as a stream of one piece, without announcing its length.
 * Otherwise the runtime splits an answer that exceeds its send buffer into many pieces.
 */
export const bodyInOnePiece = (text: string): string | ReadableStream =>
  text.length <= SHORT_CHARACTERS
    ? text
    : new ReadableStream({
        type: "direct",
        pull(controller) {
          controller.write(text);
          controller.end();
        },
      });
