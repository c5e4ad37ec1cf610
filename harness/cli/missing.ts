import path from 'node:path';
import type { NotImplemented } from '../contracts/todo.ts';
import { isOptional, levelsIn, listKatas } from '../workbook/katas.ts';

/**
 * Says which level a function belongs to that is called and not written yet: `it needs Level 10 ★ · Scale in proportion:
 * proportionOf is not written yet`.
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
