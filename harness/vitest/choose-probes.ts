import { setImmediate } from 'node:timers/promises';
import { type Outcome, type Probe, UNKNOWN } from './probe.ts';
import { inputKey } from './signatures.ts';

/** Limits of a choice of probes. */
interface Choice {
  readonly probesMax: number;
  /** Number of different inputs at most: each costs a run, which its probes share. */
  readonly inputsMax: number;
  /** Number of probes that separate two rows, if the candidates allow it. */
  readonly margin: number;
}

/** A candidate as numbers: rows with equal outcomes have equal numbers, and an unknown outcome is 0. */
type Column = Int16Array;

/**
 * Chooses the probes that separate mistakes best, one after the other: each separates the most pairs of rows that
 * fewer than `margin` earlier probes separate.
 *
 * @param rows the outcomes of all candidates, for the reference and then for each mistake
 * @returns the indexes of the chosen candidates, in order of choice
 */
export async function chooseProbes(
  candidates: readonly Probe[],
  rows: readonly (readonly Outcome[])[],
  { probesMax, inputsMax, margin }: Choice,
): Promise<readonly number[]> {
  const columns = candidates.map((_, at) => columnOf(rows.map((row) => row[at] ?? UNKNOWN)));
  const separations = new Uint8Array(rows.length ** 2);
  const inputs = new Set<string>();
  const left = new Set(columns.keys());
  const chosen: number[] = [];
  const mayTake = (index: number): boolean =>
    inputs.size < inputsMax || inputs.has(inputKey(candidates[index] as Probe));
  // A gain never grows, so an earlier one is an upper bound, and few gains are computed again.
  const gains = columns.map((column) => gainOf(column, separations, margin));
  const gainAt = (index: number): number => gains[index] ?? 0;
  while (chosen.length < probesMax) {
    // Many rounds without a pause look like an endless loop to the watchdog.
    await setImmediate();
    let best: number | undefined;
    for (const index of [...left].filter(mayTake).sort((a, b) => gainAt(b) - gainAt(a))) {
      const most = best === undefined ? 0 : gainAt(best);
      if (gainAt(index) <= most) break;
      gains[index] = gainOf(columns[index] as Column, separations, margin);
      if (gainAt(index) > most) best = index;
    }
    if (best === undefined) break;
    separate(columns[best] as Column, separations);
    inputs.add(inputKey(candidates[best] as Probe));
    left.delete(best);
    chosen.push(best);
  }
  return chosen;
}

function columnOf(outcomes: readonly Outcome[]): Column {
  const numbers = new Map<Outcome, number>([[UNKNOWN, 0]]);
  return Int16Array.from(outcomes, (outcome) => {
    const number = numbers.get(outcome) ?? numbers.size;
    numbers.set(outcome, number);
    return number;
  });
}

/** The value of a column: a pair that no chosen probe separates counts much more than others. */
function gainOf(column: Column, separations: Uint8Array, margin: number): number {
  let gain = 0;
  forEachPair(column, (pair) => {
    const times = separations[pair] ?? 0;
    // The first row is the reference: a mistake that no probe separates from it is never found.
    if (times < margin) gain += (pair < column.length ? column.length : 1) * 16 ** -times;
  });
  return gain;
}

function separate(column: Column, separations: Uint8Array): void {
  forEachPair(column, (pair) => {
    separations[pair] = Math.min(255, (separations[pair] ?? 0) + 1);
  });
}

/** Visits each pair of rows that the column separates. */
function forEachPair(column: Column, visit: (pair: number) => void): void {
  const { length } = column;
  for (let one = 0; one < length; one++) {
    const mine = column[one];
    if (mine === 0) continue;
    for (let other = one + 1; other < length; other++) {
      const theirs = column[other];
      if (theirs !== 0 && theirs !== mine) visit(one * length + other);
    }
  }
}
