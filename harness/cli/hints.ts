/** The hints in a kata's README: for each level a ladder, of which every step gives away a little more. */

/** One step of a ladder. */
export interface Hint {
  /** `A question` */
  readonly title: string;
  /** Markdown, as it stands in the README. */
  readonly text: string;
}

/**
 * Reads the ladders below `## Hints`: a `### Level n`, and in it a `<details>` for each step, whose summary is
 * `1 · A question`.
 *
 * @returns the steps by level, in the order of the README
 */
export function hintsIn(readme: string): ReadonlyMap<number, readonly Hint[]> {
  const ladders = new Map<number, readonly Hint[]>();
  for (const { title, body } of sections(sectionBody(readme, 'Hints'), '###')) {
    const [, level] = /^Level (\d+)\b/.exec(title) ?? [];
    if (level === undefined) continue;
    const steps = [...body.matchAll(/<details>\s*<summary>([\s\S]*?)<\/summary>([\s\S]*?)<\/details>/g)];
    ladders.set(
      Number(level),
      steps.map(([, summary = '', text = '']) => ({ title: titleOf(summary), text: trimmed(text) })),
    );
  }
  return ladders;
}

function sectionBody(markdown: string, title: string): string {
  return sections(markdown, '##').find((section) => section.title === title)?.body ?? '';
}

/** The parts of a text below headings of one rank. What looks like a heading in a block of code is none. */
function sections(
  markdown: string,
  rank: '##' | '###',
): readonly { readonly title: string; readonly body: string }[] {
  const found: { title: string; lines: string[] }[] = [];
  let inCode = false;
  for (const line of markdown.replaceAll('\r\n', '\n').split('\n')) {
    if (/^\s*(```|~~~)/.test(line)) inCode = !inCode;
    if (!inCode && line.startsWith(`${rank} `))
      found.push({ title: line.slice(rank.length).trim(), lines: [] });
    else found.at(-1)?.lines.push(line);
  }
  return found.map(({ title, lines }) => ({ title, body: lines.join('\n') }));
}

/** `1 · A <b>question</b>` without its number and markup. */
function titleOf(summary: string): string {
  return summary
    .replace(/<[^>]+>/g, '')
    .replace(/^\s*\d+\s*[·.:)–-]*\s*/, '')
    .trim();
}

/** Without empty lines around it, and without an indentation that all lines share. */
function trimmed(text: string): string {
  const lines = text
    .replace(/^(\s*\n)+/, '')
    .trimEnd()
    .split('\n');
  const indents = lines.filter((line) => line.trim() !== '').map((line) => /^ */.exec(line)?.[0].length ?? 0);
  const shared = Math.min(...indents);
  return lines.map((line) => line.slice(shared)).join('\n');
}
