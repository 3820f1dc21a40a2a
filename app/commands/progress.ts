import { SingleBar } from "cli-progress";

/** Shows the progress of a long command. */
export interface Progress {
  /** Reports how many items are done. */
  reach(done: number): void;
  /** Ends the display, whether or not all items are done. */
  end(): void;
}

const LINE_PERCENT = 10;

const bar = (what: string, total: number): Progress => {
  const shown = new SingleBar({
    format: `${what} [{bar}] {percentage}% | {value}/{total} | {eta_formatted} left`,
    etaBuffer: 50,
  });
  shown.start(total, 0);
  return { reach: (done) => shown.update(done), end: () => shown.stop() };
};

const lines = (what: string, total: number): Progress => {
  let next = LINE_PERCENT;
  return {
    reach(done) {
      const percent = Math.floor((done / total) * 100);
      if (percent < next) return;
      process.stderr.write(`${what} ${percent}%\n`);
      next = percent - (percent % LINE_PERCENT) + LINE_PERCENT;
    },
    end() {},
  };
};

/** Shows progress on standard error: as a bar on a terminal, or else as a line for every tenth. */
export const showProgress = (what: string, total: number): Progress =>
  process.stderr.isTTY ? bar(what, total) : lines(what, total);

const ALL_PERCENT = 100;

/** Shows the progress of making or checking the words of vehicles. The work reports its percentage. */
export const withProgress = async <Result>(
  work: (reached: (percent: number) => void) => Promise<Result>,
): Promise<Result> => {
  const progress = showProgress("words", ALL_PERCENT);
  try {
    return await work((percent) => progress.reach(percent));
  } finally {
    progress.end();
  }
};
