import { expect, test } from 'vitest';
import { isTest, listSources } from './sources.ts';

test('docs/limits.md names every file that differs from upstream', () => {
  const [{ text: limits } = { text: '' }] = listSources('docs', 'limits.md');
  const differing = listSources('', '.ts').filter(
    (source) => /Differs:/.test(source.text) && !isTest(source),
  );
  const named = ({ file }: { readonly file: string }): boolean => {
    const parts = file.split('/');
    return parts.some((_, i) => i > 0 && limits.includes(`\`${parts.slice(i).join('/')}\``));
  };
  expect(differing.length).toBeGreaterThan(0);
  expect(differing.filter((source) => !named(source)).map(({ file }) => file)).toEqual([]);
});
