import { type Declaration, declarationsIn, identifiersIn } from './declarations.ts';
import { type Todo, todosIn } from './stub.ts';

/** A stub whose functions were filled in, and the sources of {@link wired}. */
interface Filled {
  readonly text: string;
  /** The original stub. */
  readonly pristine: string;
  /** The exported declarations of the reference. */
  readonly reference: readonly Declaration[];
  /** Whether the learner writes a function. */
  readonly isOwn: (todo: Todo) => boolean;
  /** Whether functions that reach a `todo` are connected, too, unless the module calls them while it loads. */
  readonly withOwn: boolean;
  /** The declarations that were filled in: `nodeName`. */
  readonly filled: readonly string[];
}

/**
 * Connects functions as the reference does: adds them to the lists and objects of the stub (`filterPlugins`,
 * `optionalParts`), and replaces placeholders. Without `withOwn`, leaves out functions that still reach a `todo`. Leaves out
 * lists that the learner writes. The TSDoc of such a list names its level in parentheses: `The plugins (Level 6): …`.
 *
 * @returns the text of the stub. A list or a placeholder that the learner has changed gets only the functions of
 * `filled`
 */
export function wired({ text, pristine, reference, isOwn, withOwn, filled }: Filled): string {
  const declarations = declarationsIn(text);
  const declared = new Set(declarations.map(({ name }) => name));
  const namesIn = (code: string): readonly string[] =>
    [...identifiersIn(code)].filter((name) => declared.has(name));
  const reached = unwritten(declarations);
  const isReady = (code: string, names: readonly string[]): boolean =>
    names.length > 0 && !names.some((name) => reached.has(name) && !(withOwn && isLazy(code, name)));
  let all = text;
  for (const original of declarationsIn(pristine)) {
    const { name, doc } = original;
    const theirs = reference.find((one) => one.name === name);
    const mine = declarations.find((one) => one.name === name);
    const [, heading] = /\((Level \d+)\)/.exec(doc) ?? [];
    if (!theirs || !mine || theirs.code === original.code || todosIn(original.code).length > 0) continue;
    if (heading !== undefined && isOwn({ symbol: name, heading })) continue;
    const isUnchanged = mine.code === original.code;
    const elements = theirs.code.match(/^ {2}\S.*,$/gm) ?? [];
    const present = namesIn(mine.code);
    const missing = elements.filter((element) => {
      const names = namesIn(element);
      const isNew = isUnchanged || names.some((one) => filled.includes(one));
      return isNew && isReady(element, names) && !names.every((one) => present.includes(one));
    });
    const others = namesIn(theirs.code).filter((one) => one !== name);
    const isPlaceholder = elements.length === 0 && isUnchanged && isReady(theirs.code, others);
    const code = isPlaceholder ? theirs.code : withElements(mine.code, missing);
    all = all.replace(mine.doc + mine.code, () => mine.doc + code);
  }
  return all;
}

/** Reports whether the code does not call the function at once, but at most in a function of its own. */
function isLazy(code: string, name: string): boolean {
  return code.includes('=>') || !code.includes(`${name}(`);
}

/** Returns the names of the declarations that call `todo`, or use such a declaration, also indirectly. */
function unwritten(declarations: readonly Declaration[]): ReadonlySet<string> {
  const isIn = new Set(declarations.filter(({ code }) => todosIn(code).length > 0).map(({ name }) => name));
  const uses = declarations.map(({ name, code }) => ({ name, names: identifiersIn(code) }));
  // The set grows while it is read.
  for (const reached of isIn) for (const { name, names } of uses) if (names.has(reached)) isIn.add(name);
  return isIn;
}

/** Returns the code of a list or object with more elements at its end, each on its line. */
function withElements(code: string, elements: readonly string[]): string {
  const [, before, end] = /^([\s\S]*?),?\s*([\]})]+;)$/.exec(code) ?? [];
  // After a comment, a comma would belong to the comment.
  if (elements.length === 0 || before === undefined || /\/\/[^\n]*$/.test(before)) return code;
  const above = before.replace(/^([^\n]*[[{(]) (\S[^\n]*)$/, '$1\n  $2');
  return `${above}${/[[{(]$/.test(above) ? '' : ','}\n${elements.join('\n')}\n${end}`;
}
