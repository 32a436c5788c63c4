const { port1: closed } = new MessageChannel()
closed.close()

/**
 * Frees the memory of bytes that are no longer used. Without this, browsers free large buffers late, so the bytes of a
 * large file would accumulate. A closed port discards the message together with the transferred bytes.
 */
export const release = (bytes: Uint8Array<ArrayBuffer>): void => closed.postMessage(null, [bytes.buffer])
