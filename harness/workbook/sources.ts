import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A file of the project, as text. */
export interface Source {
  /** Relative to the project's root, with forward slashes. */
  readonly file: string;
  readonly text: string;
}

/** One specifier that a file imports or re-exports. */
export interface Import {
  readonly specifier: string;
  /** Erased before the file runs: `import type` or `export type`. */
  readonly typeOnly: boolean;
  /** `import('…')`, resolved at run time. */
  readonly dynamic: boolean;
}

/** The project's root. */
export const root = path.resolve(import.meta.dirname, '../..');

/**
 * Returns every file below `folder` whose name has one of the `endings`, in order. Skips fixtures, which are
 * deliberately faulty workbooks, and generated declarations. A process reads the project only once, and does not see
 * later changes.
 *
 * @param folder - relative to the root; the root itself when empty
 */
export function listSources(folder: string, ...endings: readonly string[]): readonly Source[] {
  return fileNames()
    .filter((file) => file.startsWith(folder === '' ? '' : `${folder}/`))
    .filter((file) => endings.some((ending) => file.endsWith(ending)))
    .map(sourceOf);
}

let names: readonly string[] | undefined;

/** Returns every file that {@link listSources} may return, in order. */
function fileNames(): readonly string[] {
  const skipped = ['node_modules', '.git', 'coverage', 'fixtures'];
  const below = (folder: string): string[] =>
    readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const file = path.posix.join(folder, entry.name);
      if (skipped.includes(entry.name)) return [];
      return entry.isDirectory() ? below(file) : file.endsWith('.d.ts') ? [] : [file];
    });
  names ??= below('').sort();
  return names;
}

const sources = new Map<string, Source>();

function sourceOf(file: string): Source {
  const known = sources.get(file);
  if (known) return known;
  const source = { file, text: readFileSync(path.join(root, file), 'utf8') };
  sources.set(file, source);
  return source;
}

const codes = new WeakMap<Source, string>();

/** Returns the text of a source {@link withoutComments}, cached. */
export function codeOf(source: Source): string {
  const known = codes.get(source);
  if (known !== undefined) return known;
  const code = withoutComments(source.text);
  codes.set(source, code);
  return code;
}

/** Returns whether the file is a test or a benchmark, which may import more than its subject. */
export function isTest({ file }: Source): boolean {
  return /\.(test|bench)\.ts$/.test(file);
}

/** Returns the imports of a TypeScript file, in order. */
export function importsOf(source: Source): readonly Import[] {
  const code = codeOf(source);
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

/** Returns the names that a TypeScript file exports, including types, in alphabetical order. */
export function exportsOf(source: Source): readonly string[] {
  const code = codeOf(source);
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

/** Resolves a relative specifier in `from` to a file, relative to the root. */
export function resolveRelative(from: string, specifier: string): string {
  return path.posix.normalize(path.posix.join(path.posix.dirname(from), specifier));
}

/** Removes comments, but keeps the line breaks. A `//` after a colon is part of a URL, not a comment. */
export function withoutComments(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ''))
    .replace(/(^|[^:'"`\\/])\/\/[^\n]*/gm, '$1');
}
