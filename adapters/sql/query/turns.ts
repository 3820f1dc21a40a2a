/** Resolves after the event loop has done what was waiting. It lets other requests run between two statements. */
export const nextTurn = (): Promise<void> => new Promise((resume) => setImmediate(resume));
