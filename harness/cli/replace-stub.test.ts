import { lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { Git } from './git.ts';
import { replaceStub } from './replace-stub.ts';
import { HALF, ORIGINAL, SmallWorkbook, STUB } from './workbook.fixture.ts';

/** Replaces the stub of a workbook by `new`. */
function replaced({ root }: SmallWorkbook): string | undefined {
  const git = new Git(root);
  return replaceStub({ root, git, stub: STUB, text: 'new', pristine: ORIGINAL, command: 'reset 21-counter' });
}

describe('Replacing a stub', () => {
  test('saves its exact bytes in git', () => {
    using workbook = new SmallWorkbook();
    const bytes = Buffer.concat([Buffer.from(`${HALF}\r\n// caf`), Uint8Array.of(0xe9)]);
    writeFileSync(path.join(workbook.root, STUB), bytes);
    const [, name = ''] = /^git cat-file -p (\w{12})$/.exec(replaced(workbook) ?? '') ?? [];
    expect(workbook.show(name)).toBe(bytes.toString());
    expect(workbook.read(STUB)).toBe('new');
  });

  test('saves nothing if the learner has not written into it', () => {
    using workbook = new SmallWorkbook();
    expect(replaced(workbook)).toBeUndefined();
    expect(workbook.read(STUB)).toBe('new');
  });

  test('saves a copy beside it if there is no repository', () => {
    using workbook = new SmallWorkbook();
    workbook.remove('.git');
    workbook.write(STUB, HALF);
    expect(replaced(workbook)).toBe(`${STUB}.before`);
    expect(workbook.read(`${STUB}.before`)).toBe(HALF);
  });

  test('leaves the stub unchanged if it cannot be saved', () => {
    using workbook = new SmallWorkbook();
    workbook.remove('.git');
    workbook.write(STUB, HALF);
    workbook.write(`${STUB}.before`, 'earlier');
    expect(() => replaced(workbook)).toThrow(
      /^Failed to reset 21-counter: your text can be saved neither in git nor in /,
    );
    expect(workbook.read(STUB)).toBe(HALF);
    expect(workbook.read(`${STUB}.before`)).toBe('earlier');
  });

  test('leaves the stub unchanged if the new text cannot be written', () => {
    using workbook = new SmallWorkbook();
    workbook.write(STUB, HALF);
    symlinkSync('/no-such-folder/file', path.join(workbook.root, `${STUB}.${process.pid}.new`));
    expect(() => replaced(workbook)).toThrow(/^Failed to reset 21-counter: ENOENT.* was not changed\.$/);
    expect(workbook.read(STUB)).toBe(HALF);
  });

  test('replaces the target of a link', () => {
    using workbook = new SmallWorkbook();
    const elsewhere = path.join(workbook.root, 'elsewhere.ts');
    writeFileSync(elsewhere, HALF);
    workbook.remove(STUB);
    symlinkSync(elsewhere, path.join(workbook.root, STUB));
    replaced(workbook);
    expect(lstatSync(path.join(workbook.root, STUB)).isSymbolicLink()).toBe(true);
    expect(readFileSync(elsewhere, 'utf8')).toBe('new');
  });
});
