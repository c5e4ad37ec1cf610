import path from 'node:path';
import type { NotImplemented } from '../contracts/todo.ts';
import { isOptional, levelsIn, listKatas } from '../workbook/katas.ts';

/**
 * Names the optional level of an unwritten function that was called: `it needs Level 10 ★ · Scale in proportion:
 * proportionOf is not written yet`. For any other function it names only the function.
 *
 * @param root the workbook's folder
 */
export function sayMissing(root: string, { kata, symbol, heading }: NotImplemented): string {
  const found = listKatas(root).find(({ id }) => id === kata);
  const levels = found ? levelsIn(path.join(found.folder, `${found.noun}.test.ts`)) : [];
  const title = levels.find((each) => each.startsWith(`${heading} `) && isOptional(each));
  return title === undefined
    ? `it calls ${symbol}, which is not written yet`
    : `it needs ${title}: ${symbol} is not written yet`;
}
