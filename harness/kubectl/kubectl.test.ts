import { expect, test } from 'vitest';
import { knownFailures } from './known-failures.ts';
import { scripts } from './scripts/index.ts';

test('every known failure is a command of a script', () => {
  const listed = knownFailures.flatMap(({ commands }) =>
    commands.map(([source, command]) => `${source}: ${command}`),
  );
  const all = scripts.flatMap(({ source, steps }) => steps.map(({ command }) => `${source}: ${command}`));
  expect(listed.filter((each) => !all.includes(each))).toEqual([]);
});

test('every script has a unique name', () => {
  expect(new Set(scripts.map(({ source }) => source)).size).toBe(scripts.length);
});
