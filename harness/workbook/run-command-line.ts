/** A run of the tests of one kata. */
export interface KataRun {
  /** `41`, or `41-kubelet` */
  readonly kata: string;
  /** Runs only the tests whose names contain this text; `?` stands for any character. @defaultValue all tests */
  readonly only?: string | undefined;
  /** Generates other scenarios. @defaultValue the same scenarios in every run */
  readonly seed?: number | undefined;
  /** Number of scenarios for each law, as a string. @defaultValue 100 */
  readonly runs?: string | undefined;
  /** Runs the reference instead of the learner's code. @defaultValue false */
  readonly solutions?: boolean;
  /** The id of a mistake to apply to the reference. */
  readonly mistake?: string | undefined;
  /** The id of a variant to run instead of the reference. */
  readonly variant?: string | undefined;
}

/** Characters with a special meaning between double quotes in a POSIX shell, in PowerShell, or in cmd.exe. */
const SPECIAL = /["$`\\!%^]/g;

/** Returns the command of a run in a form for any shell: `npm run kata -- run 41 --only "Never twice" --seed 7`. */
export function runCommandLine(run: KataRun): string {
  const { kata, only, seed, runs, solutions = false, mistake, variant } = run;
  return [
    `npm run kata -- run ${kata}`,
    ...(only === undefined ? [] : [`--only "${only.replace(SPECIAL, '?')}"`]),
    ...(seed === undefined ? [] : [`--seed ${seed}`]),
    ...(runs === undefined ? [] : [`--runs ${runs}`]),
    ...(solutions && mistake === undefined && variant === undefined ? ['--solutions'] : []),
    ...(mistake === undefined ? [] : [`--mistake ${mistake}`]),
    ...(variant === undefined ? [] : [`--variant ${variant}`]),
  ].join(' ');
}
