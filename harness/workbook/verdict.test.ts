import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { group } from './verdict.fixture.ts';
import {
  type GroupVerdict,
  hashOfKata,
  isDone,
  isUndecided,
  readVerdict,
  type TestState,
  type Verdict,
  writeVerdict,
} from './verdict.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'verdict-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const green = [group('Level 1 · add', { passed: 2 })];

describe('A verdict', () => {
  test('is absent at first, and then reads as it was written', () => {
    expect(readVerdict(root, '01-counter')).toBeUndefined();
    const verdict = { levels: green, laws: [group('Laws', { notRun: 1 })], at: 'a' };
    writeVerdict(root, '01-counter', verdict);
    expect(readVerdict(root, '01-counter')).toEqual(verdict);
    expect(readVerdict(root, '02-other')).toBeUndefined();
  });

  test('about a part of the same code keeps the earlier results of the rest', () => {
    writeVerdict(root, '01-counter', { levels: green, laws: [group('Laws', { passed: 1 })], at: 'a' });
    const levels = [group('Level 1 · add', { failed: 1, notRun: 1 })];
    writeVerdict(root, '01-counter', { levels, laws: [], at: 'a' });
    expect(readVerdict(root, '01-counter')).toEqual({
      levels: green,
      laws: [group('Laws', { passed: 1 })],
      at: 'a',
    });
  });

  test('about other code keeps no earlier results', () => {
    writeVerdict(root, '01-counter', { levels: green, laws: [], at: 'a' });
    const levels = [group('Level 1 · add', { failed: 1, notRun: 1 })];
    writeVerdict(root, '01-counter', { levels, laws: [], at: 'b' });
    expect(readVerdict(root, '01-counter')?.levels).toEqual(levels);
  });
});

describe('A kata that was done', () => {
  const stub = () => path.join(root, 'katas/01-counter/counter.ts');
  const save = (text: string): string => {
    mkdirSync(path.dirname(stub()), { recursive: true });
    writeFileSync(stub(), text);
    return hashOfKata(root, '01-counter');
  };
  const run = (text: string, laws: Partial<GroupVerdict>) =>
    writeVerdict(root, '01-counter', { levels: green, laws: [group('Laws', laws)], at: save(text) });

  test('has its green verdict again when its code is restored after an experiment', () => {
    run('right', { passed: 1 });
    run('wrong', { failed: 1 });
    run('wrong, too', { failed: 1 });
    expect(readVerdict(root, '01-counter')?.laws).toEqual([group('Laws', { failed: 1 })]);
    save('right');
    expect(readVerdict(root, '01-counter')).toEqual({
      levels: green,
      laws: [group('Laws', { passed: 1 })],
      at: hashOfKata(root, '01-counter'),
    });
  });

  test('loses that verdict if a later run of the same code fails', () => {
    run('right', { passed: 1 });
    run('wrong', { failed: 1 });
    run('right', { failed: 1 });
    run('wrong', { failed: 1 });
    save('right');
    expect(readVerdict(root, '01-counter')?.laws).toEqual([group('Laws', { failed: 1 })]);
  });
});

describe('The time of the last change', () => {
  const changed = (verdict: Partial<Verdict>): number | undefined => {
    writeVerdict(root, '01-counter', { levels: green, laws: [], at: 'a', ...verdict });
    return readVerdict(root, '01-counter')?.changedMs;
  };
  const red = [group('Level 1 · add', { passed: 1, failed: 1 })];
  const law = (state: TestState) => [group('Laws', { tests: [{ name: 'Never overlaps', state }] })];

  test('stays while other code has the same results', () => {
    expect(changed({ changedMs: 1_000 })).toBe(1_000);
    expect(changed({ changedMs: 2_000, at: 'b' })).toBe(1_000);
    expect(changed({ changedMs: 3_000, at: 'c', levels: red })).toBe(3_000);
  });

  test('is new if one law holds and another one fails, although as many fail', () => {
    expect(changed({ changedMs: 1_000, laws: law('passed') })).toBe(1_000);
    expect(changed({ changedMs: 2_000, at: 'b', laws: law('failed') })).toBe(2_000);
  });

  test('begins with the first run after an older file', () => {
    expect(changed({})).toBeUndefined();
    expect(changed({ changedMs: 2_000 })).toBe(2_000);
  });
});

describe('A kata', () => {
  test('is done once its core laws have run and passed', () => {
    const done = (...laws: readonly GroupVerdict[]) => isDone({ levels: [], laws, at: '' });
    expect(done(group('Laws', { passed: 3 }))).toBe(true);
    expect(done(group('Laws', { passed: 3 }), group('More ★', { failed: 1 }))).toBe(true);
    expect(done(group('Laws', { passed: 3 }), group('In a cluster', { notRun: 1 }))).toBe(false);
    expect(done(group('Laws', { passed: 3, failed: 1 }))).toBe(false);
    expect(done()).toBe(false);
  });

  test('is undecided if no core law failed, and one did not finish', () => {
    const undecided = (...laws: readonly GroupVerdict[]) => isUndecided({ levels: [], laws, at: '' });
    const slow = group('Laws', { passed: 2, undecided: 1, notRun: 1 });
    expect(undecided(slow)).toBe(true);
    expect(isDone({ levels: [], laws: [slow], at: '' })).toBe(false);
    expect(undecided(slow, group('In a cluster', { failed: 1 }))).toBe(false);
    expect(undecided(group('Laws', { passed: 3 }), group('More ★', { undecided: 1 }))).toBe(false);
  });

  test('has another hash if its code differs, and the same if only its tests do', () => {
    const folder = path.join(root, 'katas/01-counter');
    const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
    mkdirSync(folder, { recursive: true });
    write('counter.ts', 'a');
    const first = hashOfKata(root, '01-counter');
    write('counter.test.ts', 'b');
    expect(hashOfKata(root, '01-counter')).toBe(first);
    write('counter.ts', 'c');
    expect(hashOfKata(root, '01-counter')).not.toBe(first);
  });
});
