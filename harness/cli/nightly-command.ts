import { Failure, type Terminal } from './failure.ts';

/** One part of the nightly run. */
interface NightlyPart {
  /** The argument that runs this part alone: `npm run nightly -- soak`. */
  readonly name: string;
  /** The shell command. */
  readonly command: string;
  /** Environment variables of the command, in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Returns the parts of a nightly run, in order: the checks that take too long for `npm test`.
 *
 * @param seed the seed of the random inputs: a new one each night
 */
export function nightlyParts(seed: number): readonly NightlyPart[] {
  const fuzz = `npm run fuzz -- --requests 500000 --seed ${seed}`;
  return [
    { name: 'check', command: 'npm run check' },
    // `npm test` has a quarter of the runs, always on the same seed.
    {
      name: 'harness',
      command: 'npx vitest run --project harness',
      env: { KATA_RUNS: '100', KATA_SEED: String(seed) },
    },
    { name: 'exhaustive', command: 'npx vitest run --project nightly' },
    { name: 'kubectl', command: 'npm run kubectl' },
    { name: 'parity', command: 'npm run parity' },
    { name: 'hostile', command: 'npm run hostile' },
    { name: 'fuzz', command: fuzz },
    { name: 'fuzz-custom', command: `${fuzz} --custom` },
    { name: 'judge', command: 'npm run judge' },
    { name: 'soak', command: 'npm run soak' },
  ];
}

/** Dependencies of {@link runNightly}. */
interface Night {
  readonly terminal: Terminal;
  /** Runs the command of a part to its end, with its output in the terminal. Resolves with its exit code. */
  readonly run: (part: NightlyPart) => Promise<number>;
  /** In real ms, from any origin. */
  readonly nowMs: () => number;
}

/**
 * Runs the parts one after the other, each to its end. Then prints a line for each: whether it passed, and how long it took.
 *
 * @param names the parts to run. @defaultValue all of them
 * @throws Failure when a name matches no part, or when a part fails
 */
export async function runNightly(
  parts: readonly NightlyPart[],
  names: readonly string[],
  { terminal, run, nowMs }: Night,
): Promise<void> {
  const unknown = names.find((name) => !parts.some((part) => part.name === name));
  if (unknown !== undefined) {
    const known = parts.map(({ name }) => name).join(', ');
    throw new Failure(`run ${unknown}`, 'the nightly run has no such part', `Its parts are ${known}.`);
  }
  const results: { readonly part: NightlyPart; readonly code: number; readonly minutes: string }[] = [];
  for (const part of parts) {
    if (names.length > 0 && !names.includes(part.name)) continue;
    const settings = Object.entries(part.env ?? {}).map(([name, value]) => `${name}=${value}`);
    terminal.print(`\n$ ${[part.command, ...settings].join('  ')}`);
    const begunMs = nowMs();
    const code = await run(part);
    results.push({ part, code, minutes: ((nowMs() - begunMs) / 60_000).toFixed(1) });
  }
  terminal.print('');
  for (const { part, code, minutes } of results) {
    terminal.print(`${code === 0 ? 'passed' : 'FAILED'}  ${minutes.padStart(5)} min  ${part.command}`);
  }
  const failed = results.filter(({ code }) => code !== 0).map(({ part }) => part.name);
  if (failed.length === 0) return;
  const next = `Run one again with npm run nightly -- ${failed[0]}.`;
  throw new Failure('pass the nightly run', `${failed.length} of ${results.length} parts failed`, next);
}
