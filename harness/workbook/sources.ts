import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A file of the project, as text. */
export interface Source {
  /** Relative to the project's root, with forward slashes. */
  readonly file: string;
  readonly text: string;
}

/** One specifier a file imports or re-exports from. */
export interface Import {
  readonly specifier: string;
  /** Erased before it runs: `import type` or `export type`. */
  readonly typeOnly: boolean;
  /** `import('…')`, resolved when it runs. */
  readonly dynamic: boolean;
}

/** The project's root. */
export const root = path.resolve(import.meta.dirname, '../..');

/**
 * Every file below `folder` whose name ends in one of `endings`, in order. Fixtures are left out: they are
 * workbooks of their own, and wrong on purpose. So are declarations: a program writes them.
 *
 * @param folder - relative to the root; the root itself when empty
 */
export function listSources(folder: string, ...endings: readonly string[]): readonly Source[] {
  const skipped = ['node_modules', '.git', 'coverage', 'fixtures'];
  const found: Source[] = [];
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const file = path.posix.join(folder, entry.name);
    if (skipped.includes(entry.name)) continue;
    if (entry.isDirectory()) found.push(...listSources(file, ...endings));
    else if (!entry.name.endsWith('.d.ts') && endings.some((ending) => entry.name.endsWith(ending))) {
      found.push({ file, text: readFileSync(path.join(root, file), 'utf8') });
    }
  }
  return found.sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** Whether the file is a test or a benchmark, which may reach further than what it tests. */
export function isTest({ file }: Source): boolean {
  return /\.(test|bench)\.ts$/.test(file);
}

/** What a TypeScript file imports, in order. */
export function importsOf({ text }: Source): readonly Import[] {
  const code = withoutComments(text);
  const declared = [...code.matchAll(/^\s*(import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm)];
  const dynamic = [...code.matchAll(/\bimport\(\s*'([^']+)'/g)];
  return [
    ...declared.map(([, , type, specifier = '']) => ({
      specifier,
      typeOnly: type !== undefined,
      dynamic: false,
    })),
    ...dynamic.map(([, specifier = '']) => ({ specifier, typeOnly: false, dynamic: true })),
  ];
}

/** The names a TypeScript file exports, types included, in alphabetical order. */
export function exportsOf({ text }: Source): readonly string[] {
  const code = withoutComments(text);
  const declared =
    /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:type|interface|class|function\*?|const|let)\s+(\w+)/gm;
  const names = [...code.matchAll(declared)].map(([, name = '']) => name);
  for (const [, list = ''] of code.matchAll(/^export\s+(?:type\s+)?\{([^}]*)\}/gm)) {
    for (const entry of list.split(',')) {
      const name = entry.trim().split(/\s+/).at(-1);
      if (name) names.push(name);
    }
  }
  return [...new Set(names)].sort();
}

/** The file, relative to the root, that a relative specifier in `from` leads to. */
export function resolveRelative(from: string, specifier: string): string {
  return path.posix.normalize(path.posix.join(path.posix.dirname(from), specifier));
}

/** The text without comments, line by line as before. A `//` after a colon is part of a URL, not a comment. */
export function withoutComments(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ''))
    .replace(/(^|[^:'"`\\/])\/\/[^\n]*/gm, '$1');
}
