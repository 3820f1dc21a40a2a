/** Resolves when the event loop has done what waits: other requests come between the steps of long work. */
export const nextTurn = (): Promise<void> => new Promise((resume) => setImmediate(resume));
