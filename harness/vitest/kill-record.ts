import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ReplayedInput } from '../testing/property.ts';
import type { Kata } from '../workbook/katas.ts';

/** One kill of a mistake: enough to repeat it. */
export interface Kill {
  /** The full name of the test that failed. */
  readonly test: string;
  readonly seed: number;
  /** The input of that seed that sufficed. Absent if the test generates none, or needs all of them. */
  readonly input?: ReplayedInput;
}

/**
 * The judge's record about the mistakes of a kata: `solutions/NN-name/kills.json`.
 *
 * `npm run judge -- --record NN` writes the kills, one per line. If the judge finds no fault, it also writes the
 * state that it judged.
 */
export interface KillRecord {
  /** The state of the workbook that was judged last; absent if none was. */
  readonly judged?: JudgedState;
  /** The kills of each mistake by its id, and of each mistake in a variant by the name that {@link mutantId} gives it. */
  readonly kills: Readonly<Record<string, readonly Kill[]>>;
}

/** Names a state of the workbook by its content. */
export interface JudgedState {
  /** The kata's own tests, laws and solution. */
  readonly kata: string;
  /** The code that all katas depend on. */
  readonly harness: string;
}

/** The name of a mistake in a variant. */
export function mutantId(variant: { readonly id: string }, mutant: { readonly why: string }): string {
  return `${variant.id}: ${mutant.why}`;
}

/** Reads the record of a kata; an absent record is empty. */
export function readKillRecord(kata: Kata): KillRecord {
  const file = fileOf(kata);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as KillRecord) : { kills: {} };
}

/** Writes the record of a kata. */
export function writeKillRecord(kata: Kata, { judged, kills }: KillRecord): void {
  const entries = Object.entries(kills).map(([id, of]) => {
    const lines = of.map((kill) => `      ${JSON.stringify(kill)}`);
    return `    ${JSON.stringify(id)}: [${lines.length === 0 ? '' : `\n${lines.join(',\n')}\n    `}]`;
  });
  const head = judged ? `  "judged": ${JSON.stringify(judged)},\n` : '';
  const body = entries.length === 0 ? '{}' : `{\n${entries.join(',\n')}\n  }`;
  writeFileSync(fileOf(kata), `{\n${head}  "kills": ${body}\n}\n`);
}

function fileOf({ solution }: Kata): string {
  return path.join(solution, 'kills.json');
}
