import { describe, expect, test } from 'vitest';
import { hashOfKata, writeVerdict } from '../workbook/verdict.ts';
import { HALF, ORIGINAL, SmallWorkbook, STUB, WHOLE } from './workbook.fixture.ts';

const lines = (...all: readonly string[]): string => all.join('\n');

describe('kata', () => {
  test('lists every kata, and says how to begin', async () => {
    using workbook = new SmallWorkbook();
    expect(await workbook.kata()).toEqual({
      code: 0,
      err: '',
      out: lines(
        '· 21-counter  not started  3 functions to write',
        '',
        'Begin with katas/21-counter/README.md, and run',
        '  npx vitest katas/21-counter',
      ),
    });
  });

  test('marks a started kata, even after a commit', async () => {
    using workbook = new SmallWorkbook();
    workbook.write(STUB, HALF);
    const { out } = await workbook.kata('list');
    expect(out).toBe(
      lines(
        '… 21-counter  started, not run yet  2 of 3 functions left',
        '',
        'You left off at 21-counter:',
        '  npx vitest katas/21-counter',
      ),
    );
    workbook.commit();
    expect((await workbook.kata('list')).out).toBe(out);
  });

  test('marks a kata that is written but not run yet', async () => {
    using workbook = new SmallWorkbook();
    workbook.write(STUB, WHOLE);
    expect((await workbook.kata()).out).toBe(
      lines(
        '… 21-counter  written, not run yet',
        '',
        'You left off at 21-counter:',
        '  npx vitest katas/21-counter',
      ),
    );
  });

  test('ends with the kata and the level that the learner ran or saved last', async () => {
    using workbook = new SmallWorkbook();
    for (const id of ['22-twice', '23-thrice']) {
      workbook.write(`katas/${id}/counter.ts`, ORIGINAL.replaceAll('21-counter', id));
      workbook.write(`katas/${id}/counter.test.ts`, '');
    }
    workbook.commit();
    const left = async (): Promise<string> => (await workbook.kata()).out.split('\n\n')[1] ?? '';
    expect(await left()).toBe(
      lines(
        'Kata 1 of 3',
        'Begin with katas/21-counter/README.md, and run',
        '  npx vitest katas/21-counter',
        'Or begin with any other kata: the reference plays every component that you have not built.',
      ),
    );
    workbook.saved('katas/21-counter/counter.ts', HALF, 1_000);
    workbook.saved('katas/22-twice/counter.ts', HALF, 2_000);
    expect(await left()).toBe(
      lines('Kata 2 of 3', 'You left off at 22-twice:', '  npx vitest katas/22-twice'),
    );
    workbook.saved('katas/21-counter/counter.ts', HALF, 3_000);
    const levels = [{ name: 'Level 2 · A', optional: false, passed: 0, failed: 1, notRun: 0, todo: 1 }];
    writeVerdict(workbook.root, '22-twice', { levels, laws: [], at: '' });
    expect(await left()).toBe(
      lines('Kata 2 of 3', 'You left off at 22-twice, Level 2:', '  npx vitest katas/22-twice'),
    );
  });

  test('ends with the kata that follows the last finished one', async () => {
    using workbook = new SmallWorkbook();
    for (const id of ['22-twice', '23-thrice']) {
      workbook.write(`katas/${id}/counter.ts`, ORIGINAL.replaceAll('21-counter', id));
      workbook.write(`katas/${id}/counter.test.ts`, '');
    }
    const laws = [{ name: 'The laws', optional: false, passed: 1, failed: 0, notRun: 0, todo: 0 }];
    const finish = (id: string): void =>
      writeVerdict(workbook.root, id, { levels: [], laws, at: hashOfKata(workbook.root, id) });
    finish('22-twice');
    expect((await workbook.kata()).out).toContain('\nBegin with katas/23-thrice/README.md, and run\n');
    finish('23-thrice');
    expect((await workbook.kata()).out).toContain('\nBegin with katas/21-counter/README.md, and run\n');
  });

  test('says how to restore a deleted stub', async () => {
    using workbook = new SmallWorkbook();
    workbook.remove(STUB);
    expect((await workbook.kata()).out).toContain(
      '✗ 21-counter  deleted  npm run kata -- reset 21 restores the stub',
    );
  });

  test('works without git, but does not know which katas are started', async () => {
    using workbook = new SmallWorkbook();
    workbook.remove('.git');
    workbook.write(STUB, HALF);
    expect((await workbook.kata()).out).toContain('· 21-counter  not started  2 functions to write\n');
  });

  test('says so if no katas exist', async () => {
    using workbook = new SmallWorkbook();
    workbook.remove('katas');
    expect(await workbook.kata()).toEqual({ code: 0, out: 'There are no katas yet.', err: '' });
  });
});

describe('kata 21', () => {
  test("shows each level's progress, as far as the stub shows it", async () => {
    using workbook = new SmallWorkbook();
    workbook.write(STUB, HALF);
    expect(await workbook.kata('21')).toEqual({
      code: 0,
      err: '',
      out: lines(
        '21 · Counter',
        '… 21-counter  started, not run yet  2 of 3 functions left',
        '',
        '  Level 1 · Add                    written',
        "  Level 2 · The sum of it's parts  2 functions to write",
        '  Level 3 · Patience               unknown until you run its tests',
        '',
        'Read katas/21-counter/README.md, edit katas/21-counter/counter.ts, and run',
        '  npx vitest katas/21-counter',
      ),
    });
  });

  test("accepts a kata's name or folder", async () => {
    using workbook = new SmallWorkbook();
    const { out } = await workbook.kata('21');
    for (const name of ['counter', '21-counter', 'katas/21-counter', './katas/21-counter/']) {
      expect((await workbook.kata(name)).out, name).toBe(out);
    }
  });

  test.each(['99', '2', 'count', '../21-counter'])('fails for an unknown kata: %s', async (name) => {
    using workbook = new SmallWorkbook();
    expect(await workbook.kata(name)).toEqual({
      code: 1,
      out: '',
      err: `Failed to find kata ${name}: no kata has that number or name. The katas are: 21-counter.`,
    });
  });
});

describe('kata hint', () => {
  test('gives the first step, then the next, then the last again', async () => {
    using workbook = new SmallWorkbook();
    expect(await workbook.kata('hint', '21', '1')).toEqual({
      code: 0,
      err: '',
      out: lines(
        'Level 1, hint 1 of 2: A question',
        '',
        'What is *one* more?',
        '',
        'Not enough? npm run kata -- hint 21 1',
      ),
    });
    const last = lines(
      'Level 1, hint 2 of 2: A direction',
      '',
      'Up.',
      '',
      'That was the last. The reference: solutions/21-counter',
    );
    expect((await workbook.kata('hint', '21', 'Level', '1')).out).toBe(last);
    expect((await workbook.kata('hint', '21', '1')).out).toBe(last);
    expect((await workbook.kata('hint', '21', '2')).out).toContain('Level 2, hint 1 of 1: A question');
  });

  test('gives a requested step, or all of them', async () => {
    using workbook = new SmallWorkbook();
    expect((await workbook.kata('hint', '21', '1', '2')).out).toContain('Level 1, hint 2 of 2: A direction');
    const { out } = await workbook.kata('hint', '21', '1', '--all');
    expect(out).toContain('Level 1, hint 1 of 2: A question');
    expect(out).toContain('Level 1, hint 2 of 2: A direction');
  });

  test('asks a question about a law without own hints, and names the levels whose hints cover it', async () => {
    using workbook = new SmallWorkbook();
    expect((await workbook.kata('hint', '21', 'exa')).out).toBe(
      lines(
        'Is it ever one too many?',
        '',
        'The hints of Level 1 and Level 2 cover it:',
        '  npm run kata -- hint 21 1',
        '  npm run kata -- hint 21 2',
      ),
    );
  });

  const none = '21-counter has no such level or law. It has hints for: 1, 2, Exact.';
  test.each([
    [['99', '1'], 'find kata 99: no kata has that number or name. The katas are: 21-counter.'],
    [['21', '7'], `give a hint for "7": ${none}`],
    [['21', 'x'], `give a hint for "x": ${none}`],
    [['21', '2', 'x'], `give a hint for "2 x": ${none}`],
    [['21', '1', '3'], 'give hint 3 for Level 1: that hint does not exist. Level 1 has 2 hints: 1 to 2.'],
    [['21', '1', '0'], 'give hint 0 for Level 1: that hint does not exist. Level 1 has 2 hints: 1 to 2.'],
    [['21', '2', '5'], 'give hint 5 for Level 2: that hint does not exist. Level 2 has one hint: 1.'],
  ])('rejects an unknown level or step: %s', async (words, why) => {
    using workbook = new SmallWorkbook();
    expect(await workbook.kata('hint', ...words)).toEqual({ code: 1, out: '', err: `Failed to ${why}` });
  });
});

describe('kata reset', () => {
  test('does nothing to an unchanged stub', async () => {
    using workbook = new SmallWorkbook();
    expect((await workbook.kata('reset', '21')).out).toBe(`${STUB} is unchanged: there is nothing to reset.`);
    workbook.write(STUB, ORIGINAL.replaceAll('\n', '\r\n'));
    expect((await workbook.kata('reset', '21')).out).toContain('nothing to reset');
  });

  test('restores the newest edition of a kata, even if an earlier one had more functions to write', async () => {
    using workbook = new SmallWorkbook();
    const second = HALF.replaceAll("'Level 2'", "'Level 3'");
    expect(second).not.toBe(HALF);
    workbook.write(STUB, second);
    workbook.commit();
    workbook.write(STUB, WHOLE);
    workbook.commit();
    expect((await workbook.kata('reset', '21')).code).toBe(0);
    expect(workbook.read(STUB)).toBe(second);
  });

  test('refuses to discard uncommitted work, and shows it', async () => {
    using workbook = new SmallWorkbook();
    workbook.write(STUB, HALF);
    expect(await workbook.kata('reset', '21')).toEqual({
      code: 1,
      out: lines(`This line of ${STUB} would be lost:`, '-     this.n += 1; // mine'),
      err: `Failed to reset 21-counter: ${STUB} has uncommitted changes. Commit them, or run npm run kata -- reset 21 --force.`,
    });
    expect(workbook.read(STUB)).toBe(HALF);
  });

  test('shows at most 40 of the lost lines', async () => {
    using workbook = new SmallWorkbook();
    workbook.write(STUB, `${ORIGINAL}${'// mine\n'.repeat(50)}`);
    const { out } = await workbook.kata('reset', '21');
    expect(out.split('\n')).toHaveLength(42);
    expect(out).toMatch(/^These 50 lines of .* would be lost:\n- \/\/ mine\n[\s\S]*\n… and 10 more$/);
  });

  test('discards changes with --force, and saves them in git', async () => {
    using workbook = new SmallWorkbook();
    workbook.write(STUB, HALF);
    const { code, out } = await workbook.kata('reset', '21', '--force');
    expect(code).toBe(0);
    expect(workbook.read(STUB)).toBe(ORIGINAL);
    const [, kept = ''] = /^Your previous text: git cat-file -p ([0-9a-f]{12})$/m.exec(out) ?? [];
    expect(workbook.show(kept)).toBe(HALF);
  });

  test('restores the original, whatever has been committed since', async () => {
    using workbook = new SmallWorkbook();
    workbook.write(STUB, HALF);
    workbook.commit();
    workbook.write(STUB, WHOLE);
    workbook.commit();
    expect((await workbook.kata('reset', 'counter')).code).toBe(0);
    expect(workbook.read(STUB)).toBe(ORIGINAL);
  });

  test('restores the newest original after an update of the workbook', async () => {
    using workbook = new SmallWorkbook();
    const newer = ORIGINAL.replace('Counts.', 'Counts, up.');
    workbook.write(STUB, newer);
    workbook.commit();
    workbook.write(STUB, WHOLE);
    workbook.commit();
    await workbook.kata('reset', '21');
    expect(workbook.read(STUB)).toBe(newer);
  });

  test('restores a deleted stub', async () => {
    using workbook = new SmallWorkbook();
    workbook.remove(STUB);
    expect(await workbook.kata('reset', '21')).toEqual({
      code: 0,
      out: `${STUB} is the original again.`,
      err: '',
    });
    expect(workbook.read(STUB)).toBe(ORIGINAL);
    workbook.remove(STUB);
    workbook.commit();
    expect((await workbook.kata('reset', '21')).code).toBe(0);
    expect(workbook.read(STUB)).toBe(ORIGINAL);
  });

  test('touches no other file', async () => {
    using workbook = new SmallWorkbook();
    workbook.write(STUB, HALF);
    workbook.write('katas/21-counter/counter.test.ts', '// mine, too');
    await workbook.kata('reset', '21', '--force');
    expect(workbook.read('katas/21-counter/counter.test.ts')).toBe('// mine, too');
  });

  test('needs git', async () => {
    using workbook = new SmallWorkbook();
    workbook.remove('.git');
    expect(await workbook.kata('reset', '21', '--force')).toEqual({
      code: 1,
      out: '',
      err: `Failed to reset 21-counter: git has no earlier version of ${STUB}. Is this a clone of the workbook?`,
    });
  });
});

describe('A mistyped command', () => {
  test.each([
    [['hint'], 'give a hint: it takes a kata, and a level or a law: hint 21 2.'],
    [['hint', '21'], 'give a hint: it takes a kata, and a level or a law: hint 21 2.'],
    [
      ['start', '21'],
      'start a kata with a part of the reference: it takes a kata: start 23 --short, or the level to begin with: start 24 --from 5. Without a part of the reference, a kata needs no start: edit its stub.',
    ],
    [
      ['start', '21', '2'],
      'start a kata with a part of the reference: it takes a kata: start 23 --short, or the level to begin with: start 24 --from 5. Without a part of the reference, a kata needs no start: edit its stub.',
    ],
    [['new'], 'make a kata: it takes its name: new 41-kubelet.'],
    [['remove'], 'remove a kata: it takes its name: remove 41-kubelet.'],
    [['check'], 'check a kata: it takes one kata: check 24.'],
    [['index', '21'], 'write the index: it takes no name.'],
    [['next', 'all', '21'], 'find the next kata: it takes one path: next afternoon.'],
    [['diff'], 'show a diff: it takes a kata, and perhaps a function: diff 22 Queue.add.'],
    [['solution'], 'show a solution: it takes a kata, and perhaps a function: solution 22 Queue.add.'],
    [['catch-up'], 'catch up: it takes one kata: catch-up 24.'],
    [['reset'], 'reset a kata: it takes one kata: reset 21.'],
    [['reset', '21', '22'], 'reset a kata: it takes one kata: reset 21.'],
    [['21', '22'], 'understand "21 22": that command does not exist.'],
    [['dif', '21'], 'understand "dif 21": that command does not exist. Did you mean "diff"?'],
    [['nxt'], 'understand "nxt": that command does not exist. Did you mean "next"?'],
    [['21', '--force'], 'understand --force: that option does not exist.'],
    [['reset', '21', '--hard'], 'understand --hard: that option does not exist.'],
  ])('gets the list of valid commands: %s', async (words, why) => {
    using workbook = new SmallWorkbook();
    const { code, out, err } = await workbook.kata(...words);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    const usage = (await workbook.kata('--help')).out;
    expect(usage).toMatch(/^npm run kata +lists the katas/);
    expect(err).toBe(`Failed to ${why} You can type:\n${usage.replace(/^/gm, '  ')}`);
  });
});
