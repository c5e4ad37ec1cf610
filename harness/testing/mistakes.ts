/**
 * Replaces `from` by `to` in one file of the reference. `from` must occur exactly once in all of the reference's files
 * together, so that no edit goes astray silently when the reference changes.
 */
export type Edit = readonly [from: string, to: string];

/** A wrong implementation that people or projects have really shipped, as a change of the reference. */
export interface Mistake {
  /** Kebab-case, unique within the kata. */
  readonly id: string;
  /** The fault, as a sentence. */
  readonly why: string;
  /**
   * For a learner whose code behaves like this mistake: the belief behind it, as a sentence ("You seem to trust your
   * cache right after your own writes."), or a question. It does not name the fix. Absent if no hint speaks of it.
   */
  readonly misconception?: string;
  /** Its source: an upstream issue or pull request, a project at a tag, or "common". */
  readonly origin: string;
  /**
   * The law or level that must detect it ("Level 2", "No ghosts"). It is a part of the full name of at least one test,
   * and ends at the end of a word. One of these tests must fail, at the default number of runs, on every tried seed.
   */
  readonly law: string;
  /**
   * The reason why no cluster shows the mistake, as a sentence: for example, a function is wrong only for arguments
   * that no run passes. The laws and the end-to-end test need not detect it. Absent for a mistake that is visible in a
   * cluster.
   */
  readonly hidden?: string;
  /**
   * Whether its code never pauses, so that the watchdog may kill it. Any other mistake must be killed by the message of
   * a law.
   * @defaultValue false
   */
  readonly spins?: boolean;
  /**
   * Whether the first draft of the kata's short way has this mistake.
   * @defaultValue false
   */
  readonly isFirstDraft?: boolean;
  readonly edits: readonly Edit[];
}

/**
 * An unusual but correct implementation, which every test must accept: a change of the reference, or a file that
 * replaces it.
 */
export interface Variant {
  /** Kebab-case, unique within the kata. */
  readonly id: string;
  /** The difference, and the reason why it is correct, as a sentence. */
  readonly why: string;
  readonly edits?: readonly Edit[];
  /** Replaces `<noun>.ts`; relative to the solution's folder, such as `variants/polling.ts`. */
  readonly file?: string;
  /**
   * Whether it is a freestyle solution: it exports only the component, without the functions of the levels or with
   * other contracts. The laws and the end-to-end test must accept it, and no level runs. @defaultValue false
   */
  readonly free?: boolean;
  /** Whether it omits the optional parts (★), as a learner may: their tests do not run. @defaultValue false */
  readonly core?: boolean;
  /** Mutants of the variant: laws must also detect mistakes in code that is structured differently. */
  readonly mutants?: readonly Mutant[];
}

/** A mutant of a variant. */
export interface Mutant {
  /** The fault, as a sentence. */
  readonly why: string;
  /** The id of the kata's mistake that has the same fault. Absent if no mistake has. */
  readonly like?: string;
  /** The law or end-to-end test that must detect it: as in a {@link Mistake}. */
  readonly law: string;
  /** As in a {@link Mistake}. @defaultValue false */
  readonly spins?: boolean;
  /**
   * Changes of the variant: of its `file` and the files beside it that it imports, or else of the reference after its
   * `edits`.
   */
  readonly edits: readonly Edit[];
}

/** Returns whether `law` names a test by its full name: "Level 1" does not name "Level 10". */
export function speaksOf(law: string, fullName: string): boolean {
  for (let at = fullName.indexOf(law); at >= 0; at = fullName.indexOf(law, at + 1)) {
    if (!/^\w/.test(fullName.slice(at + law.length))) return true;
  }
  return false;
}

/**
 * Applies the edits to their files.
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
    // Edits of one file accumulate. The replacement is plain text, not a pattern.
    changed.set(
      home,
      (changed.get(home) ?? sources.get(home) ?? '').replace(from, () => to),
    );
  }
  return changed;
}

/**
 * Returns a sentence for each name that a change uses but its file does not know. Such a mistake would cause a
 * ReferenceError instead of its fault.
 *
 * @param sources - the reference's files, by path
 * @param changed - the result of {@link applyEdits}
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

/** The names known in any file of a reference. Cached, because a hundred mistakes use the same reference. */
const knownInAny = new WeakMap<ReadonlyMap<string, string>, ReadonlySet<string>>();

/** Returns the names that a file imports or declares at its top level. */
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

/** Returns the words of a text, except properties and keys of objects. */
function wordsOf(text: string): readonly string[] {
  return text.match(/(?<![.\w#$])[A-Za-z_$][\w$]*(?![\w$:])/g) ?? [];
}
