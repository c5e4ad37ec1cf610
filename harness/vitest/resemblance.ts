import { ENDLESS, PASSED, UNKNOWN } from './probe.ts';
import type { Marks, Signature } from './signatures.ts';

/** The mistakes that code behaves like. */
export interface Resemblance {
  /** Whether every probe ends as with this one mistake, and no other mistake comes near. */
  readonly isCertain: boolean;
  /** The ids of the mistakes, the most likely first: one if certain, else at most {@link NAMED_MAX}. */
  readonly ids: readonly string[];
}

/** More possibilities help no learner. */
const NAMED_MAX = 3;

/** The named mistakes together are at least this likely. */
const LIKELY = 0.7;

/** Certain code fails this many probes: one failure may have any cause. */
const FAILED_MIN = 2;

/** Certain code is as far as this from each other mistake. */
const APART_MIN = 2;

/** How likely the mark of code with a mistake differs from the mistake's own mark. */
const NOISE = {
  /** It passes a probe that the mistake fails. */
  passes: 0.1,
  /** It fails such a probe in another way. */
  failsOtherwise: 0.1,
  /** It fails a probe that the mistake passes. */
  fails: 0.005,
};

/** How likely, before any probe, code has a mistake that is not in the bank. */
const UNKNOWN_MISTAKE = 0.2;

/**
 * Compares the marks of some code with the signatures of known mistakes.
 *
 * Each signature is a hypothesis: code with the mistake has the marks of its row, except for noise, because other
 * code does other things in the same scenario. One more hypothesis stands for all mistakes that are not in the bank:
 * each probe has each mark as often as over all rows.
 *
 * @returns undefined if the code fails no probe, or resembles no mistake or too many
 */
export function resemblance(rows: readonly Signature[], marks: Marks): Resemblance | undefined {
  const failed = [...marks].filter(isFailure).length;
  if (failed === 0) return undefined;
  const exact = rows.filter((row) => distance(row.marks, marks) === 0);
  const [only] = exact;
  const isApart = rows.every(
    (row) => row === only || (distance(row.marks, marks) >= APART_MIN && !hasFailuresOf(row.marks, marks)),
  );
  if (only && exact.length === 1 && failed >= FAILED_MIN && isApart && !marks.includes(UNKNOWN))
    return { isCertain: true, ids: [only.id] };
  const named: string[] = [];
  let together = 0;
  for (const { id, share } of shares(rows, marks)) {
    if (together >= LIKELY) break;
    named.push(id);
    together += share;
  }
  return named.length <= NAMED_MAX && together >= LIKELY ? { isCertain: false, ids: named } : undefined;
}

/**
 * Returns whether a mistake has all failures of the code. The code may have this mistake, too, in a design that hides its
 * other failures.
 */
function hasFailuresOf(row: Marks, marks: Marks): boolean {
  return [...marks].every((mark, at) => !isFailure(mark) || row[at] === mark);
}

/** Returns the number of probes that end differently. */
export function distance(one: Marks, other: Marks): number {
  return [...one].filter((mark, at) => {
    const theirs = other[at];
    return mark !== theirs && mark !== UNKNOWN && theirs !== UNKNOWN;
  }).length;
}

/** Returns how likely each mistake is, the most likely first. Together with unknown mistakes they are 1. */
function shares(
  rows: readonly Signature[],
  marks: Marks,
): readonly { readonly id: string; readonly share: number }[] {
  const logs = rows.map(
    (row) => logLikelihood(row.marks, marks) + Math.log((1 - UNKNOWN_MISTAKE) / rows.length),
  );
  const unknown = logLikelihoodOfUnknown(rows, marks) + Math.log(UNKNOWN_MISTAKE);
  const most = Math.max(unknown, ...logs);
  const sum = [unknown, ...logs].reduce((total, log) => total + Math.exp(log - most), 0);
  return rows
    .map(({ id }, at) => ({ id, share: Math.exp((logs[at] ?? -Infinity) - most) / sum }))
    .sort((a, b) => b.share - a.share);
}

function logLikelihood(row: Marks, marks: Marks): number {
  let sum = 0;
  for (const [at, mark] of [...marks].entries()) {
    const expected = row[at] ?? UNKNOWN;
    if (mark === UNKNOWN || expected === UNKNOWN) continue;
    sum += Math.log(likelihood(expected, mark));
  }
  return sum;
}

function likelihood(expected: string, mark: string): number {
  if (expected === PASSED) return mark === PASSED ? 1 - NOISE.fails : NOISE.fails;
  if (mark === expected) return 1 - NOISE.passes - NOISE.failsOtherwise;
  return mark === PASSED ? NOISE.passes : NOISE.failsOtherwise;
}

function logLikelihoodOfUnknown(rows: readonly Signature[], marks: Marks): number {
  let sum = 0;
  for (const [at, mark] of [...marks].entries()) {
    if (mark === UNKNOWN) continue;
    const equal = rows.filter((row) => row.marks[at] === mark).length;
    sum += Math.log((equal + 0.5) / (rows.length + 1));
  }
  return sum;
}

function isFailure(mark: string): boolean {
  return mark === ENDLESS || (mark !== PASSED && mark !== UNKNOWN);
}
