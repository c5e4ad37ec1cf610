import { readFileSync } from 'node:fs';
import path from 'node:path';
import { giveRest, fromLevel as ownFrom } from '../workbook/given.ts';
import { type Kata, readReference } from '../workbook/katas.ts';
import { todosIn } from '../workbook/stub.ts';

/** Returns a stub with the reference's functions in the first half of its levels, as after `npm run kata -- start 24 --from 7`. */
export function begunInTheMiddle(kata: Kata): { readonly text: string; readonly fromLevel: number } {
  const stub = readFileSync(path.join(kata.folder, `${kata.noun}.ts`), 'utf8');
  const levels = todosIn(stub).map(({ heading }) => Number(/\d+/.exec(heading)?.[0]));
  const fromLevel = Math.ceil(Math.max(...levels) / 2) + 1;
  const { text } = giveRest({ stub, reference: readReference(kata), own: ownFrom(fromLevel) });
  return { text, fromLevel };
}
