/** Of at most 3 bytes each, so many characters fit the runtime's send buffer together with the headers. */
const SHORT_CHARACTERS = 4000;

/**
 * The body of an answer that had to wait. A long one is a stream of one piece: the runtime otherwise sends an answer
 * that does not fit its send buffer in about 40 pieces. Its length is then not announced.
 */
export const lateBody = (text: string): string | ReadableStream =>
  text.length <= SHORT_CHARACTERS
    ? text
    : new ReadableStream({
        type: "direct",
        pull(controller) {
          controller.write(text);
          controller.end();
        },
      });
