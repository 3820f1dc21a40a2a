/**
 * Lets every timer of this process that is due within `ms` have its turn `count` times. For what must not happen: a
 * slow machine makes it take longer, and changes nothing about the turns.
 */
export const timerTurns = async (count: number, ms: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resume) => setTimeout(resume, ms));
};
