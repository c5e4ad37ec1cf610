/** Lines around the violation that are always shown, the violation included. */
const NEAR_MAX = 12;

/** The number of them after the violation. */
const AFTER = 3;

/** The maximum number of lines, so that it fits on the screen: the lines nearest to the violation come first. */
const LINES_MAX = 20;

/**
 * Chooses the lines of a timeline that explain a violation:
 *
 * - the lines around it, or the last lines if none is marked with `✗`;
 * - every line about the object at fault;
 * - every earlier fault, and every earlier line about an object that the violation names.
 *
 * A line gives the number of lines that are left out.
 *
 * @param object the object at fault
 * @returns the lines to show; a single line is never left out, because the note would take a line, too
 */
export function excerptOf(timeline: readonly string[], object?: string): readonly string[] {
  const marked = timeline.findIndex((line) => line.startsWith('✗'));
  const end = marked < 0 ? timeline.length : Math.min(timeline.length, marked + 1 + AFTER);
  const start = Math.max(0, end - NEAR_MAX);
  const names = namesIn(timeline[marked] ?? '', timeline);
  const explains = (line: string, index: number): boolean =>
    (object !== undefined && speaksOf(line, object)) ||
    (index < start && (isFault(line) || names.some((name) => speaksOf(line, name))));
  const further = timeline
    .map((line, index) => ({ line, index }))
    .filter(({ line, index }) => (index < start || index >= end) && explains(line, index))
    .toSorted((a, b) => Math.abs(a.index - marked) - Math.abs(b.index - marked));
  const chosen = new Set<number>();
  const excerpt = (): readonly string[] =>
    withGaps(timeline, (index) => (index >= start && index < end) || chosen.has(index));
  let shown = excerpt();
  for (const { index } of further) {
    chosen.add(index);
    const longer = excerpt();
    if (longer.length > LINES_MAX) break;
    shown = longer;
  }
  return shown;
}

/** A name in more than this share of the lines distinguishes nothing: for example the only node. */
const EVERYWHERE = 1 / 2;

/**
 * Returns the objects that a violation names: words with a digit or a hyphen, as in object names, that also occur in
 * the timeline.
 */
function namesIn(violation: string, timeline: readonly string[]): readonly string[] {
  const words = new Set(
    violation.match(/[\w.:-]*\w/g)?.filter((word) => /[a-z].*[-\d]|\d+\.\d+\./i.test(word)),
  );
  return [...words].filter((word) => {
    const lines = timeline.filter((line) => speaksOf(line, word)).length;
    return lines < timeline.length * EVERYWHERE;
  });
}

/** Does a line show a fault of the nemesis, other than healing, or its effect on a request? */
export function isFault(line: string): boolean {
  if (/\snemesis\s+heal\b/.test(line)) return false;
  return /\s(?:nemesis\s|(?:crash\w*|cut|dies|died|killed|power\w*|severed|lost|vanish\w*|time(?:d )?out)\b)|\bTimeout\b/i.test(
    line,
  );
}

function withGaps(lines: readonly string[], isShown: (index: number) => boolean): readonly string[] {
  const shown: string[] = [];
  let hidden: string[] = [];
  const close = (where: string): void => {
    if (hidden.length === 1) shown.push(...hidden);
    else if (hidden.length > 1) shown.push(`… ${hidden.length} ${where}`);
    hidden = [];
  };
  for (const [index, line] of lines.entries()) {
    if (!isShown(index)) {
      hidden.push(line);
      continue;
    }
    close(shown.length === 0 ? 'earlier' : 'more');
    shown.push(line);
  }
  close('later');
  return shown;
}

/** Does the line contain the name by itself: `web-1`, and not as a part of `web-10`? */
function speaksOf(line: string, name: string): boolean {
  const at = line.indexOf(name);
  if (at < 0) return false;
  const isPart = (char: string | undefined): boolean => char !== undefined && /[\w.-]/.test(char);
  return (!isPart(line[at - 1]) && !isPart(line[at + name.length])) || speaksOf(line.slice(at + 1), name);
}
