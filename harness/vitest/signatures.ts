import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Mistake } from '../testing/mistakes.ts';
import type { Kata } from '../workbook/katas.ts';
import { ENDLESS, type Outcome, PASSED, type Probe, UNKNOWN } from './probe.ts';

/**
 * Outcomes of probes as a text, with one character each: `.`, `o` and `-` as in {@link Outcome}, a capital letter for a
 * known failure of the probe's test, and `*` for any other failure.
 */
export type Marks = string;

/** A failure that no signature has. */
export const OTHER_FAILURE = '*';

/** The outcomes of the same probes for each mistake of a kata that shows in a cluster. The reference passes them all. */
export interface Signatures {
  readonly tests: readonly ProbedTest[];
  readonly probes: readonly Probe[];
  readonly rows: readonly Signature[];
}

/** A test of some probes. */
interface ProbedTest {
  /** Its full name. */
  readonly name: string;
  /** The failures of the mistakes: `A` stands for the first. */
  readonly failures: readonly Outcome[];
}

/** The row of one mistake. */
export interface Signature {
  /** The id of the mistake. */
  readonly id: string;
  /** The {@link fingerprintOf} the mistake when its row was recorded. */
  readonly fingerprint: string;
  readonly marks: Marks;
}

/** The file `solutions/NN-name/signatures.json`: the probes refer to their tests by index. */
interface SignatureFile {
  readonly tests: readonly (readonly [name: string, ...failures: Outcome[]])[];
  readonly probes: readonly (readonly [test: number, seed: number, path?: string, workload?: string])[];
  /** `<fingerprint> <marks>`, by the id of the mistake. */
  readonly rows: Readonly<Record<string, string>>;
}

/** Returns a hash of the edits of a mistake: its row may differ if they do. */
export function fingerprintOf({ edits }: Pick<Mistake, 'edits'>): string {
  return createHash('sha256').update(JSON.stringify(edits)).digest('hex').slice(0, 8);
}

/** Names the input of a probe: probes with the same key share one run. */
export function inputKey({ seed, input }: Pick<Probe, 'seed' | 'input'>): string {
  return JSON.stringify([seed, input?.workload, input?.path]);
}

/** Builds the signatures from the outcomes of each mistake. */
export function signaturesOf(
  probes: readonly Probe[],
  rows: readonly { readonly mistake: Mistake; readonly outcomes: readonly Outcome[] }[],
): Signatures {
  const failuresOf = new Map(probes.map(({ test }) => [test, new Set<Outcome>()]));
  for (const { outcomes } of rows) {
    for (const [at, outcome] of outcomes.entries())
      if (![PASSED, ENDLESS, UNKNOWN].includes(outcome)) failuresOf.get(probes[at]?.test ?? '')?.add(outcome);
  }
  const tests = [...failuresOf].map(([name, failures]) => ({ name, failures: [...failures].slice(0, 26) }));
  return {
    tests,
    probes,
    rows: rows.map(({ mistake, outcomes }) => ({
      id: mistake.id,
      fingerprint: fingerprintOf(mistake),
      marks: marksOf({ tests, probes }, outcomes),
    })),
  };
}

/** Renders the outcomes of the probes as marks. */
export function marksOf(
  { tests, probes }: Pick<Signatures, 'tests' | 'probes'>,
  outcomes: readonly Outcome[],
): Marks {
  const failuresOf = new Map(tests.map(({ name, failures }) => [name, failures]));
  return probes
    .map(({ test }, at) => {
      const outcome = outcomes[at] ?? UNKNOWN;
      if ([PASSED, ENDLESS, UNKNOWN].includes(outcome)) return outcome;
      const known = failuresOf.get(test)?.indexOf(outcome) ?? -1;
      return known < 0 ? OTHER_FAILURE : String.fromCharCode(65 + known);
    })
    .join('');
}

/** Reads the signatures of a kata; undefined if none are recorded. */
export function readSignatures(kata: Pick<Kata, 'solution'>): Signatures | undefined {
  const file = signatureFileOf(kata);
  if (!existsSync(file)) return undefined;
  const { tests, probes, rows } = JSON.parse(readFileSync(file, 'utf8')) as SignatureFile;
  return {
    tests: tests.map(([name, ...failures]) => ({ name, failures })),
    probes: probes.map(([test, seed, at, workload]) => ({
      test: tests[test]?.[0] ?? '',
      seed,
      ...(at !== undefined && { input: { path: at, ...(workload !== undefined && { workload }) } }),
    })),
    rows: Object.entries(rows).map(([id, row]) => {
      const [fingerprint = '', marks = ''] = row.split(' ');
      return { id, fingerprint, marks };
    }),
  };
}

/** Writes the signatures of a kata: one line for each test, probe and mistake. */
export function writeSignatures(kata: Pick<Kata, 'solution'>, { tests, probes, rows }: Signatures): void {
  const names = tests.map(({ name }) => name);
  const file: SignatureFile = {
    tests: tests.map(({ name, failures }) => [name, ...failures]),
    probes: probes.map(({ test, seed, input }) => [
      names.indexOf(test),
      seed,
      ...((input ? [input.path] : []) as [string?]),
      ...((input?.workload === undefined ? [] : [input.workload]) as [string?]),
    ]),
    rows: Object.fromEntries(rows.map(({ id, fingerprint, marks }) => [id, `${fingerprint} ${marks}`])),
  };
  const lines = (all: readonly string[]): string => all.map((line) => `\n    ${line}`).join(',');
  const rowLines = Object.entries(file.rows).map(
    ([id, row]) => `${JSON.stringify(id)}: ${JSON.stringify(row)}`,
  );
  const parts = [
    `"tests": [${lines(file.tests.map((one) => JSON.stringify(one)))}\n  ]`,
    `"probes": [${lines(file.probes.map((one) => JSON.stringify(one)))}\n  ]`,
    `"rows": {${lines(rowLines)}\n  }`,
  ];
  writeFileSync(signatureFileOf(kata), `{\n  ${parts.join(',\n  ')}\n}\n`);
}

/**
 * Returns a sentence for each mistake whose row is missing, outdated or superfluous. Runs nothing.
 *
 * @param mistakes all mistakes of the kata
 */
export function outdated({ probes, rows }: Signatures, mistakes: readonly Mistake[]): readonly string[] {
  const visible = mistakes.filter(({ hidden }) => hidden === undefined);
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  return [
    ...visible.flatMap((mistake) => {
      const row = rowOf.get(mistake.id);
      if (!row) return [`${mistake.id} has no row`];
      return row.fingerprint === fingerprintOf(mistake) ? [] : [`the edits of ${mistake.id} have changed`];
    }),
    ...rows.flatMap(({ id, marks }) => [
      ...(visible.some((mistake) => mistake.id === id) ? [] : [`${id} names a hidden or a deleted mistake`]),
      ...(marks.length === probes.length ? [] : [`${id} has ${marks.length} marks, not ${probes.length}`]),
    ]),
  ];
}

function signatureFileOf({ solution }: Pick<Kata, 'solution'>): string {
  return path.join(solution, 'signatures.json');
}
