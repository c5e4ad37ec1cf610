/** Lines around the violation that are always shown, the violation included. */
const NEAR_MAX = 12;

/** Lines after the violation among them. */
const AFTER = 3;

/** Further lines that are shown because they are about an object or a fault: those nearest to the violation. */
const FURTHER_MAX = 12;

/**
 * Chooses the lines of a timeline that explain a violation: those around it, or the last ones where none is marked with `✗`;
 * every line about an object that the violation names; and every fault. Where others are left out, a line says how many.
 *
 * @param object the object at fault
 * @returns the lines to show; a single line is never left out, for the note would take a line, too
 */
export function excerptOf(timeline: readonly string[], object?: string): readonly string[] {
  const marked = timeline.findIndex((line) => line.startsWith('✗'));
  const end = marked < 0 ? timeline.length : Math.min(timeline.length, marked + 1 + AFTER);
  const start = Math.max(0, end - NEAR_MAX);
  const names = namesIn(timeline[marked] ?? '', timeline, object);
  const further = timeline
    .flatMap((line, index) => (index < start || index >= end ? [{ line, index }] : []))
    .filter(({ line }) => isFault(line) || names.some((name) => speaksOf(line, name)))
    .toSorted((a, b) => Math.abs(a.index - marked) - Math.abs(b.index - marked))
    .slice(0, FURTHER_MAX);
  const chosen = new Set(further.map(({ index }) => index));
  return withGaps(timeline, (index) => (index >= start && index < end) || chosen.has(index));
}

/** A line about another object in this share of the lines says nothing about it: each line names the only node. */
const EVERYWHERE = 1 / 2;

/** The objects that a violation names: words with a digit or a hyphen, as the names of objects have, that the timeline has, too. */
function namesIn(violation: string, timeline: readonly string[], object?: string): readonly string[] {
  const words = new Set(
    violation.match(/[\w.:-]*\w/g)?.filter((word) => /[a-z].*[-\d]|\d+\.\d+\./i.test(word)),
  );
  const rare = [...words].filter((word) => {
    const lines = timeline.filter((line) => speaksOf(line, word)).length;
    return lines < timeline.length * EVERYWHERE;
  });
  return object === undefined ? rare : [...new Set([object, ...rare])];
}

/** What the nemesis does, and what becomes of a request because of it. */
function isFault(line: string): boolean {
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

/** Whether the name stands in the line by itself: `web-1`, and not as a part of `web-10`. */
function speaksOf(line: string, name: string): boolean {
  const at = line.indexOf(name);
  if (at < 0) return false;
  const isPart = (char: string | undefined): boolean => char !== undefined && /[\w.-]/.test(char);
  return (!isPart(line[at - 1]) && !isPart(line[at + name.length])) || speaksOf(line.slice(at + 1), name);
}
