import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from './sources.ts';

/** The names that CONTRIBUTING.md explains. Each is a file, or a folder with several. */
const NAMES = [
  'environment',
  'golden',
  'history',
  'laws',
  'levels',
  'operations',
  'oracle',
  'real',
  'render',
  'scenario',
  'simulation',
  'workloads',
];

const laws = path.join(root, 'harness/laws');

describe.each(readdirSync(laws))('The laws of %s', (id) => {
  const files = readdirSync(path.join(laws, id));

  test('stand under the names that all katas share', () => {
    const others = files.filter(
      (file) =>
        !NAMES.includes(path.basename(file, '.ts')) && !/^index\.ts$|^README\.md$|\.bench\.ts$/.test(file),
    );
    expect(others).toEqual([]);
  });

  test('have an entry point', () => expect(files).toContain('index.ts'));
});
