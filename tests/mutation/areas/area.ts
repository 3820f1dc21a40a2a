import type { OperatorSet } from "../operators.ts";

/** A part of the program that enforces something, how to break it, and the tests that must notice. */
export interface Area {
  readonly name: string;
  readonly operators: OperatorSet;
  /** Files and folders. */
  readonly files: readonly string[];
  /** The declarations that matter, if a file has others too. */
  readonly within?: readonly string[];
  /**
   * Arguments for `bun test`: file names, and a test name after `-t`. Each line runs for the mutants that survived
   * those before it, so fast tests come first.
   */
  readonly tests: readonly (readonly string[])[];
  /** True if none of its mutants may be left to the deep run. */
  readonly isVital?: true;
}

/** What all areas of statements have in common. */
export const SQL = { operators: "statements" } as const;
