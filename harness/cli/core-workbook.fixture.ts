import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { giveRest, fromLevel as ownFrom } from '../workbook/given.ts';
import { isOptional, type Kata, levelsIn, listKatas, readReference } from '../workbook/katas.ts';
import { root } from '../workbook/sources.ts';
import { hashOfKata, writeVerdict } from '../workbook/verdict.ts';

/**
 * A workbook in a temporary folder. Its learner has written the core of some katas, with the reference's code, and no optional level
 * (★). The laws of these katas have passed.
 */
export class CoreWorkbook implements Disposable {
  readonly root: string = mkdtempSync(path.join(tmpdir(), 'katas-'));

  /** @param ids the katas whose core is written, such as `41-kubelet`; the others are not started */
  constructor(ids: readonly string[]) {
    for (const name of ['harness', 'solutions', 'docs']) symlinkSync(path.join(root, name), this.#in(name));
    cpSync(path.join(root, 'package.json'), this.#in('package.json'));
    for (const kata of listKatas(root)) {
      mkdirSync(this.#in(`katas/${kata.id}`), { recursive: true });
      for (const test of [...kata.tests, path.join(kata.folder, 'levels')])
        symlinkSync(test, this.#in(`katas/${kata.id}/${path.basename(test)}`));
      const isWritten = ids.includes(kata.id);
      const text = isWritten ? coreOf(kata) : stubOf(kata);
      writeFileSync(this.#in(`katas/${kata.id}/${kata.noun}.ts`), text);
      if (isWritten) this.#pass(kata.id);
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true });
  }

  #in(name: string): string {
    return path.join(this.root, name);
  }

  #pass(kata: string): void {
    const laws = [{ name: 'The laws', optional: false, passed: 1, failed: 0, notRun: 0, todo: 0 }];
    writeVerdict(this.root, kata, { levels: [], laws, at: hashOfKata(this.root, kata) });
  }
}

/** Returns the stub of a kata with the reference's functions in every level before the first optional one. */
function coreOf(kata: Kata): string {
  const levels = levelsIn(path.join(kata.folder, `${kata.noun}.test.ts`));
  const optional = levels.filter(isOptional).map((title) => Number(/\d+/.exec(title)?.[0]));
  const fromLevel = Math.min(...optional, Number.POSITIVE_INFINITY);
  return giveRest({ stub: stubOf(kata), reference: readReference(kata), own: ownFrom(fromLevel) }).text;
}

function stubOf({ folder, noun }: Kata): string {
  return readFileSync(path.join(folder, `${noun}.ts`), 'utf8');
}
