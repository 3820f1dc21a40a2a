/**
 * Resolves after the event loop has processed what was waiting, so that other requests can run between the steps of
 * long work.
 */
export const nextTurn = (): Promise<void> => new Promise((resume) => setImmediate(resume));
