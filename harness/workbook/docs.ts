import { type Source, withoutComments } from './sources.ts';

/** Something that a file declares and exports, and whether a comment describes it. */
interface DeclaredExport {
  readonly name: string;
  /** A TSDoc comment stands right above it, where an editor finds it. Of overloads, one is enough. */
  readonly documented: boolean;
}

/** What a TypeScript file declares and exports, in its order. What it only hands on (`export { a } from`) is not in it. */
export function declaredExports({ text }: Source): readonly DeclaredExport[] {
  const found = new Map<string, boolean>();
  for (const { 1: comment, 2: name = '' } of text.matchAll(DECLARATION)) {
    found.set(name, found.get(name) === true || comment !== undefined);
  }
  return [...found].map(([name, documented]) => ({ name, documented }));
}

/** An exported declaration, with the TSDoc right above it if there is one. */
const DECLARATION =
  /(?:^(\/\*\*(?:(?!\*\/)[\s\S])*\*\/)\n)?^export\s+(?:declare\s+|abstract\s+|async\s+)*(?:type|interface|class|function\*?|const|let|enum)\s+(\w+)/gm;

/**
 * Does a comment stand above the imports, though there is something below them? It describes the file, and no editor shows
 * it; it belongs to the main export.
 */
export function hasHeader({ text }: Source): boolean {
  const below = withoutComments(text).replace(/^import\b[^;]*;/gm, '');
  return below.trim() !== '' && /^\s*(?:(?:\/\*(?:(?!\*\/)[\s\S])*\*\/|\/\/.*)\s*)+import\b/.test(text);
}
