/** One step of a ladder. Each step reveals a little more than the one before. */
interface Hint {
  /** `A question` */
  readonly title: string;
  /** Markdown, as in HINTS.md. */
  readonly text: string;
}

/** The hints of one level or law. */
export interface Ladder {
  /** `Level 2`, or the name of a law: `No ghosts`. */
  readonly name: string;
  /** The steps, in order; empty for a law that points to levels. */
  readonly steps: readonly Hint[];
  /** A question for any shape of code, for a law that points to levels; may be empty. */
  readonly question: string;
  /** The levels whose hints cover this law: `Level 3`. */
  readonly see: readonly string[];
}

/**
 * Parses a kata's HINTS.md. It has a `## Level n` for each level and a `## <Law>` for each law. Below each heading
 * stands a `### 1 · A question` for each step, or an optional question and then the sentence `See Level 3, Level 5.`
 *
 * @returns the ladders, in the order of the file
 */
export function laddersIn(hints: string): readonly Ladder[] {
  return sections(hints, '##').map(({ title, body }) => {
    const steps = sections(body, '###').map((step) => ({
      title: step.title.replace(/^\d+\s*[·.:)–-]*\s*/, ''),
      text: trimmed(step.body),
    }));
    const [, before = '', list = ''] = (steps.length === 0 && /^([\s\S]*?)^See (.+)\.$/m.exec(body)) || [];
    return {
      name: /^Level \d+/.exec(title)?.[0] ?? title,
      steps,
      question: trimmed(before),
      see: list.split(/,\s*/).filter(Boolean),
    };
  });
}

/**
 * Finds the ladder of a level or a law.
 *
 * @param meant `2` or `level 2` for a level; for a law its name or the beginning of its name, in any case
 */
export function findLadder(ladders: readonly Ladder[], meant: string): Ladder | undefined {
  const [, level] = /^(?:level\s*)?(\d+)$/i.exec(meant) ?? [];
  const wanted = (level === undefined ? meant : `Level ${level}`).toLowerCase();
  const named = (one: Ladder): string => one.name.toLowerCase();
  const exact = ladders.find((one) => named(one) === wanted);
  // A law's name can be an issue number. Shells treat its # as the start of a comment.
  if (exact || level !== undefined) return exact ?? ladders.find((one) => one.name === `#${level}`);
  const begun = ladders.filter((one) => named(one).startsWith(wanted));
  return begun.length === 1 ? begun[0] : undefined;
}

/** Splits a text at the headings of one rank. Skips lines in code blocks that look like headings. */
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

/** Removes empty lines around a text. */
function trimmed(text: string): string {
  return text.replace(/^(\s*\n)+/, '').trimEnd();
}
