import { statSync } from 'node:fs';
import path from 'node:path';
import { filesIn } from '../../workbook/katas.ts';
import { verdictMs } from '../../workbook/verdict.ts';

/**
 * Returns a text that differs after a save of a kata's code, and after a run of its tests. It reads no file, so a room can
 * compute it often.
 *
 * @param root the workbook's folder
 */
export function fingerprintOf(root: string): string {
  const katas = filesIn(path.join(root, 'katas')).filter((name) => /^\d\d-/.test(name));
  const times = katas.flatMap((kata) => {
    const folder = path.join(root, 'katas', kata);
    const code = filesIn(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
    const saved = code.map((name) => statSync(path.join(folder, name), { throwIfNoEntry: false })?.mtimeMs);
    return [kata, verdictMs(root, kata), ...saved];
  });
  return times.join(' ');
}
