import { describe, expect, test } from 'vitest';
import { exportsOf, importsOf, withoutComments } from './sources.ts';

const source = (...lines: readonly string[]) => ({ file: 'x.ts', text: lines.join('\n') });

describe('A source', () => {
  test('imports files in any syntax', () => {
    const imports = importsOf(
      source(
        "import a, { b } from './a.ts';",
        "import type { C } from './c.ts';",
        'import {',
        '  type D,',
        '  e,',
        "} from './d.ts';",
        "import './effect.ts';",
        "export * from './f.ts';",
        "export type { G } from './g.ts';",
        "const h = await import('./h.ts');",
        "// import { i } from './i.ts';",
        "/* import { j } from './j.ts'; */",
      ),
    );
    expect(imports.map(({ specifier }) => specifier)).toEqual([
      './a.ts',
      './c.ts',
      './d.ts',
      './effect.ts',
      './f.ts',
      './g.ts',
      './h.ts',
    ]);
    expect(imports.filter(({ typeOnly }) => typeOnly).map(({ specifier }) => specifier)).toEqual([
      './c.ts',
      './g.ts',
    ]);
    expect(imports.filter(({ dynamic }) => dynamic).map(({ specifier }) => specifier)).toEqual(['./h.ts']);
  });

  test('exports declarations and lists', () => {
    const names = exportsOf(
      source(
        'export class A {}',
        'export abstract class B {}',
        'export async function c() {}',
        'export const d = 1;',
        'export type E = string;',
        'export interface F {}',
        'export { g, h as i };',
        "export { type J, k } from './k.ts';",
        'const hidden = 1;',
        '// export const m = 1;',
      ),
    );
    expect(names).toEqual(['A', 'B', 'E', 'F', 'J', 'c', 'd', 'g', 'i', 'k']);
  });

  test('keeps its lines and URLs when comments are removed', () => {
    expect(withoutComments("a; // b\n/* c\n d */ e;\n'https://f';")).toBe("a; \n\n e;\n'https://f';");
  });
});
