import { describe, expect, test } from 'vitest';
import { declaredExports, hasHeader } from './docs.ts';
import { isTest, listSources } from './sources.ts';

const sources = listSources('harness', '.ts', '.tsx').filter((source) => !isTest(source));
const source = (text: string) => ({ file: 'harness/a.ts', text });

describe('the harness', () => {
  test('documents at least 95 % of its exports, on the symbol itself', () => {
    const all = sources.flatMap((each) =>
      declaredExports(each).map((one) => ({ ...one, place: `${each.file} ${one.name}` })),
    );
    const bare = all.filter(({ documented }) => !documented).map(({ place }) => place);
    const share = 100 * (1 - bare.length / all.length);
    expect(share, `${share.toFixed(1)} % of ${all.length}; without:\n${bare.join('\n')}`).toBeGreaterThan(95);
  });

  test('has no comment above imports: comments belong to the symbols that they describe', () => {
    expect(sources.filter(hasHeader).map(({ file }) => file)).toEqual([]);
  });
});

describe('declaredExports', () => {
  test.each([
    ['/** A. */\nexport const a = 1;\n', true],
    ['/**\n * A.\n */\nexport async function a(): Promise<void> {}\n', true],
    ['/** A. */\nexport function a(x: string): void;\nexport function a(x: unknown): void {}\n', true],
    ['/** A. */\nexport abstract class a {}\n', true],
    ['export const a = 1;\n', false],
    ['/** About the file. */\n\nexport const a = 1;\n', false],
    ['// A.\nexport const a = 1;\n', false],
    ['/* A. */\nexport type a = 1;\n', false],
    ['/** B. */\nconst b = 1;\nexport interface a {}\n', false],
  ])('returns the exports of %j', (text, documented) => {
    expect(declaredExports(source(text))).toEqual([{ name: 'a', documented }]);
  });

  test('ignores re-exports and local declarations', () => {
    expect(
      declaredExports(source("export { a } from './a.ts';\nexport type * from './b.ts';\nconst c = 1;\n")),
    ).toEqual([]);
  });
});

test.each([
  ["/** About the file. */\nimport a from 'a';\na();\n", true],
  ["\n// About the file.\n\nimport a from 'a';\nconst b = a;\n", true],
  ["/* About the file. */\nimport type { a } from 'a';\nexport const b = a;\n", true],
  ["// About the imports, which are all that there is.\nimport 'a';\nimport 'b';\n", false],
  ["import a from 'a';\n\n/** About b. */\nexport const b = a;\n", false],
  ["/** About the door. */\nexport { a } from './a.ts';\n", false],
  ['/** About a. */\nexport const a = 1;\n', false],
])('hasHeader of %j is %s', (text, expected) => {
  expect(hasHeader(source(text))).toBe(expected);
});
