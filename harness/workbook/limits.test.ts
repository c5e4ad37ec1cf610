import { describe, expect, test } from 'vitest';
import { filesIn, type LimitEntry, lawsIn, limitEntries } from './limits.ts';
import { isTest, listSources } from './sources.ts';

const [{ text: limits } = { text: '' }] = listSources('docs', 'limits.md');
const entries = limitEntries(limits);
const sources = listSources('', '.ts', '.tsx');
const differing = sources.filter((source) => /Differs:/.test(source.text) && !isTest(source));
const laws = sources.filter(({ file }) => file.endsWith('.properties.test.ts'));

/** Returns whether a text names the file, or the end of its path. */
function names(text: string, file: string): boolean {
  return filesIn(text).some((name) => file.endsWith(`/${name}`));
}

/** Returns whether a kata or a solution has a law of this name. */
function isLaw(name: string): boolean {
  return laws.some(({ text }) => new RegExp(`['"\`]${name}: `).test(text));
}

/** Returns whether a test or a comment in the code holds the entry, or an issue shows that upstream does the same. */
function isHeld({ text, introduction }: LimitEntry): boolean {
  const all = `${introduction} ${text}`;
  const tests = sources.filter(isTest);
  return (
    [...differing, ...tests].some(({ file }) => names(all, file)) ||
    lawsIn(text).some(isLaw) ||
    /kubernetes\/kubernetes#\d+/.test(text)
  );
}

describe('docs/limits.md', () => {
  test('names every file that differs from upstream', () => {
    expect(differing.length).toBeGreaterThan(0);
    expect(differing.filter(({ file }) => !names(limits, file)).map(({ file }) => file)).toEqual([]);
  });

  test('names only files that have a comment Differs:, or a test', () => {
    const holders = [...differing, ...sources.filter(isTest)];
    const stale = filesIn(limits).filter((name) => !holders.some(({ file }) => file.endsWith(`/${name}`)));
    expect(stale).toEqual([]);
  });

  test('has a holder for each entry: a comment Differs:, a test, a law or an issue of upstream', () => {
    const [first, ...rest] = new Set(entries.map(({ section }) => section));
    expect(first).toBe('What costs you most');
    expect(rest.length).toBeGreaterThan(10);
    const loose = entries.filter((entry) => entry.section !== first && !isHeld(entry));
    expect(loose.map(({ section, text }) => `${section}: ${text}`)).toEqual([]);
  });

  test('names only laws that exist', () => {
    expect(lawsIn(limits).filter((name) => !isLaw(name))).toEqual([]);
  });

  test('begins with the costliest limits, each of which has a test of its name', () => {
    const [{ text } = { text: '' }] = listSources('harness/workbook', 'costliest-limits.test.ts');
    const tests = [...text.matchAll(/^ {2}test\((['"])(.+)\1, async/gm)].map(([, , title]) => title);
    const titles = entries
      .filter(({ section }) => section === 'What costs you most')
      .map((entry) => /^- \*\*(.+?)\.\*\*/.exec(entry.text)?.[1]);
    expect(titles.length).toBeGreaterThan(5);
    expect(titles).toEqual(tests);
  });
});

test('limitEntries returns list items and rows of tables, with their headings and introductions', () => {
  const text =
    '# Limits\n\nA.\n\n## B\n\nIn `b.ts`:\n\n- **C.** d\n  e\n- f\n\n| program | g |\n|---|---|\n| h | i |\n\n## J\n\n- k';
  expect(
    limitEntries(text).map(({ section, text: entry, introduction }) => [section, entry, introduction]),
  ).toEqual([
    ['B', '- **C.** d e', 'In `b.ts`:'],
    ['B', '- f', 'In `b.ts`:'],
    ['B', '| h | i |', 'In `b.ts`:'],
    ['J', '- k', ''],
  ]);
});
