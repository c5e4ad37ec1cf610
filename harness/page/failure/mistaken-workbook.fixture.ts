import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { applyEdits } from '../../testing/mistakes.ts';
import type { RecordedFailure } from '../../vitest/replay.fixture.ts';
import { writeFailedLaws } from '../../workbook/failed-laws.ts';
import { readReference } from '../../workbook/katas.ts';
import { root } from '../../workbook/sources.ts';
import { hashOfKata } from '../../workbook/verdict.ts';

/** A workbook whose learner has made these mistakes: the last run of each of their katas has failed a law. */
export class MistakenWorkbook implements Disposable {
  readonly root: string = mkdtempSync(path.join(tmpdir(), 'failing-'));

  constructor(failures: readonly RecordedFailure[]) {
    for (const name of ['harness', 'solutions']) symlinkSync(path.join(root, name), this.#in(name));
    for (const name of ['package.json', 'katas'])
      cpSync(path.join(root, name), this.#in(name), { recursive: true });
    // The cache of this workbook is its own.
    mkdirSync(this.#in('node_modules'));
    for (const name of readdirSync(path.join(root, 'node_modules'))) {
      if (name !== '.cache')
        symlinkSync(path.join(root, 'node_modules', name), this.#in('node_modules', name));
    }
    for (const failure of failures) this.#make(failure);
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true });
  }

  #make({ kata, mistake, kill }: RecordedFailure): void {
    const id = path.basename(kata.solution);
    const sources = readReference(kata);
    for (const [file, text] of [...sources, ...applyEdits(sources, mistake)]) {
      writeFileSync(this.#in('katas', id, path.basename(file)), text);
    }
    const law = {
      test: kill.test,
      ...(kill.input && { input: { seed: kill.seed, ...kill.input } }),
    };
    writeFailedLaws(this.root, id, { laws: [law], at: hashOfKata(this.root, id) }, new Set([law.test]));
  }

  #in(...names: readonly string[]): string {
    return path.join(this.root, ...names);
  }
}
