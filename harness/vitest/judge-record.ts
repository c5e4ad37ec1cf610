import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Kata } from '../workbook/katas.ts';

/** How a mistake died once: enough to let it die so again. */
export interface Death {
  /** The full name of the test it died of. */
  readonly test: string;
  readonly seed: number;
  /** Of a property: the input of that seed which was enough. Absent where all of them were needed, or none is generated. */
  readonly path?: string;
}

/** The deaths of each mistake, by its id. */
export type Deaths = Readonly<Record<string, readonly Death[]>>;

/**
 * What the kata's mistakes died of when it was last recorded: `solutions/NN-name/deaths.json`, which
 * `npm run judge -- --record` writes. It says where to look first, and no more: what is out of date costs time.
 */
export function readDeaths(kata: Kata): Deaths {
  const file = fileOf(kata);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Deaths) : {};
}

/** Keeps what the mistakes died of, a line a death. */
export function writeDeaths(kata: Kata, deaths: Deaths): void {
  writeFileSync(fileOf(kata), `${JSON.stringify(deaths, undefined, 2)}\n`);
}

function fileOf({ solution }: Kata): string {
  return path.join(solution, 'deaths.json');
}
