import { type Source, withoutComments } from './sources.ts';

/** A declaration that a file exports, and whether a comment describes it. */
interface DeclaredExport {
  readonly name: string;
  /** Whether a TSDoc comment is right above it, where editors find it. One overload is enough. */
  readonly documented: boolean;
}

/**
 * Returns the exported declarations of a TypeScript file, in order. Re-exports (`export { a } from`) are not included.
 */
export function declaredExports({ text }: Source): readonly DeclaredExport[] {
  const found = new Map<string, boolean>();
  for (const { 1: comment, 2: name = '' } of text.matchAll(DECLARATION)) {
    found.set(name, found.get(name) === true || comment !== undefined);
  }
  return [...found].map(([name, documented]) => ({ name, documented }));
}

/** Matches an exported declaration, with the TSDoc right above it if there is one. */
const DECLARATION =
  /(?:^(\/\*\*(?:(?!\*\/)[\s\S])*\*\/)\n)?^export\s+(?:declare\s+|abstract\s+|async\s+)*(?:type|interface|class|function\*?|const|let|enum)\s+(\w+)/gm;

/**
 * Returns whether a comment is above the imports although other code follows. Such a comment describes the file, and no
 * editor shows it; it belongs on the main export.
 */
export function hasHeader({ text }: Source): boolean {
  const below = withoutComments(text).replace(/^import\b[^;]*;/gm, '');
  return below.trim() !== '' && /^\s*(?:(?:\/\*(?:(?!\*\/)[\s\S])*\*\/|\/\/.*)\s*)+import\b/.test(text);
}
