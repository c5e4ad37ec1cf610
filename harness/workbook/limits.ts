/** An entry of docs/limits.md: a list item, or a row of a table. */
export interface LimitEntry {
  /** The heading above it: `Scores`, `21-informer`. */
  readonly section: string;
  readonly text: string;
  /** The paragraph between the heading and the entry. Files that it names hold for each entry below it. */
  readonly introduction: string;
}

/** Returns the entries of docs/limits.md, in order. */
export function limitEntries(markdown: string): readonly LimitEntry[] {
  const blocks = markdown.split(/\n(?=#|- |\| )|\n\n/).map((block) => block.trim());
  const entries: LimitEntry[] = [];
  let section = '';
  let introduction = '';
  for (const block of blocks) {
    if (block.startsWith('#')) {
      section = block.replace(/^#+ /, '');
      introduction = '';
    } else if (/^- |^\| (?!program |---)/.test(block)) {
      entries.push({ section, text: block.replace(/\s+/g, ' '), introduction });
    } else if (!block.startsWith('|')) introduction = block;
  }
  return entries;
}

/** Returns the TypeScript files that a text names: `kinds/pod.ts`. */
export function filesIn(text: string): readonly string[] {
  return [...text.matchAll(/`([\w./-]+\.ts)`/g)].map(([, file = '']) => file);
}

/** Returns the laws that a text names: `*Never overlaps*`. */
export function lawsIn(text: string): readonly string[] {
  return [...text.matchAll(/(?<!\*)\*([A-Z][^*]+)\*(?!\*)/g)].map(([, law = '']) => law);
}
