/**
 * Replaces `from` by `to` in one file of the reference. `from` must occur exactly once in all of the reference's
 * files together, so that no edit drifts in silence when the reference changes.
 */
export type Edit = readonly [from: string, to: string];

/** A wrong implementation that people or projects really shipped, as a change of the reference. */
export interface Mistake {
  /** Kebab-case, unique within the kata. */
  readonly id: string;
  /** What is wrong, as a sentence. */
  readonly why: string;
  /** Where it was made: an upstream issue or pull request, a project at a tag, or "common". */
  readonly origin: string;
  /**
   * The law or level that must notice: part of the full name of at least one test ("Level 2", "No ghosts"), ending
   * at the end of a word. One of the tests so named must fail, at the default number of runs, on every seed tried.
   */
  readonly law: string;
  /**
   * Why no cluster shows it, as a sentence: a function is wrong only for arguments that no run hands to it, say. The laws and
   * the end to end need not notice it. Absent for a mistake that can be seen in a cluster.
   */
  readonly hidden?: string;
  /**
   * Whether it is wrong in that its code never pauses, so that the watchdog alone may kill it. Any other mistake must be killed by
   * the words of a law. @defaultValue false
   */
  readonly spins?: boolean;
  readonly edits: readonly Edit[];
}

/**
 * An odd but right implementation, which every test must let pass: either a change of the reference, or a file
 * that takes its place.
 */
export interface Variant {
  /** Kebab-case, unique within the kata. */
  readonly id: string;
  /** What is odd about it and why it is right all the same, as a sentence. */
  readonly why: string;
  readonly edits?: readonly Edit[];
  /** Stands in for `<noun>.ts`; relative to the solution's folder, say `variants/polling.ts`. */
  readonly file?: string;
  /**
   * It has the component alone and not the functions of the levels, or not as their contracts want them, as a learner writes it who goes
   * the free way: the laws and the end to end must let it pass, and no level is asked. @defaultValue false
   */
  readonly free?: boolean;
  /** It leaves out what is marked ★, as a learner may: that is not asked of it. @defaultValue false */
  readonly core?: boolean;
  /** Mistakes that can be made in it: laws must notice what is built otherwise than the reference, too. */
  readonly spoilt?: readonly Spoilt[];
}

/** A mistake in a variant. */
export interface Spoilt {
  /** What is wrong, as a sentence. */
  readonly why: string;
  /** The law, or the end to end, that must notice: as in a {@link Mistake}. */
  readonly law: string;
  /** As in a {@link Mistake}. @defaultValue false */
  readonly spins?: boolean;
  /** Changes of the variant: of its `file` and the files beside it that it imports, or else of the reference as its `edits` left it. */
  readonly edits: readonly Edit[];
}

/** Whether a test's full name is one that `law` speaks of: "Level 1" does not speak of "Level 10". */
export function speaksOf(law: string, fullName: string): boolean {
  for (let at = fullName.indexOf(law); at >= 0; at = fullName.indexOf(law, at + 1)) {
    if (!/^\w/.test(fullName.slice(at + law.length))) return true;
  }
  return false;
}

/**
 * Applies the edits to the files they are made for.
 *
 * @param sources - the reference's files, by path
 * @returns the changed files only, by path
 * @throws Error when an anchor does not occur exactly once, or changes nothing
 */
export function applyEdits(
  sources: ReadonlyMap<string, string>,
  { id, edits = [] }: { readonly id: string; readonly edits?: readonly Edit[] },
): ReadonlyMap<string, string> {
  const changed = new Map<string, string>();
  for (const [from, to] of edits) {
    const homes = [...sources].flatMap(([file, source]) =>
      Array.from({ length: source.split(from).length - 1 }, () => file),
    );
    const [home] = homes;
    if (home === undefined || homes.length > 1 || from === '') {
      throw new Error(
        `Failed to apply "${id}": its anchor occurs ${homes.length} times, not once. Correct the anchor: ${from}`,
      );
    }
    if (from === to) throw new Error(`Failed to apply "${id}": an edit replaces its anchor by itself.`);
    // Edits of one file build on each other; the replacement is text, not a pattern.
    changed.set(
      home,
      (changed.get(home) ?? sources.get(home) ?? '').replace(from, () => to),
    );
  }
  return changed;
}

/**
 * The names that a change uses where they are not known, as sentences. Such a mistake would die of a ReferenceError, and
 * not of what is wrong with it.
 *
 * @param sources - the reference's files, by path
 * @param changed - what {@link applyEdits} made of some of them
 */
export function missingImports(
  sources: ReadonlyMap<string, string>,
  changed: ReadonlyMap<string, string>,
): readonly string[] {
  const everywhere = knownInAny.get(sources) ?? new Set([...sources.values()].flatMap(knownIn));
  knownInAny.set(sources, everywhere);
  return [...changed].flatMap(([file, text]) => {
    const [before, known] = [new Set(wordsOf(sources.get(file) ?? '')), new Set(knownIn(text))];
    return [...new Set(wordsOf(text))]
      .filter((word) => everywhere.has(word) && !before.has(word) && !known.has(word))
      .map((word) => `${file} neither imports nor declares ${word}`);
  });
}

/** The names that any file of a reference knows. A bank of a hundred mistakes asks for the same reference. */
const knownInAny = new WeakMap<ReadonlyMap<string, string>, ReadonlySet<string>>();

/** The names that a file imports, and those it declares at its top. */
function knownIn(text: string): readonly string[] {
  const imported = [...text.matchAll(/^import (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim().split(/\s+/).at(-1) ?? ''),
  );
  const declaration = /^(?:export )?(?:async )?(?:class|function\*?|const|let|interface|type) (\w+)/gm;
  return [
    ...imported.filter((name) => name !== ''),
    ...[...text.matchAll(declaration)].map(([, name = '']) => name),
  ];
}

/** The words of a text, except those that are properties of something, and keys of objects. */
function wordsOf(text: string): readonly string[] {
  return text.match(/(?<![.\w#$])[A-Za-z_$][\w$]*(?![\w$:])/g) ?? [];
}
