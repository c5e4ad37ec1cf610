import type { Plugin } from 'vite';
import { isUnderTest } from './workbook-file.ts';

/** The key of a global function that gets each error that the code of a kata catches. */
export const ON_CATCH = Symbol.for('kubernetes-katas/catch');

/** The call of that function, as text for a module. */
const TELL = `globalThis[Symbol.for(${JSON.stringify(ON_CATCH.description)})]?.`;

/** The used part of a node of a syntax tree; the positions are offsets into the text. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Makes katas and solutions report the errors that they catch, in `catch` clauses and in function literals passed to
 * `.catch` and `.then`. Node reports swallowed errors only to a debugger, and a debugger slows every run. The code
 * otherwise behaves as before, and every line stays in its place.
 */
export function tellCatches(): Plugin {
  return {
    name: 'tell-catches',
    enforce: 'pre',
    transform(code, id) {
      if (!isUnderTest(id) || !/\bcatch\b|\.then\b/.test(code)) return null;
      let program: Node;
      try {
        program = this.parse(code, { lang: 'ts' });
      } catch {
        // Vite reports syntax errors better.
        return null;
      }
      return { code: tellingCatches(code, program), map: null };
    },
  };
}

/**
 * @param code a module
 * @param program its syntax tree
 * @returns the module that reports the errors that it catches
 */
export function tellingCatches(code: string, program: object): string {
  // From the last edit to the first: an edit moves the text after it.
  return editsIn(code, program)
    .toSorted((a, b) => b.at - a.at)
    .reduce((text, { at, until = at, put }) => text.slice(0, at) + put + text.slice(until), code);
}

interface Edit {
  readonly at: number;
  /** The text from `at` to here is replaced. @defaultValue nothing is replaced */
  readonly until?: number;
  readonly put: string;
}

function editsIn(code: string, node: object): readonly Edit[] {
  const children = Object.values(node).flat();
  const below = children.flatMap((child) => (child instanceof Object ? editsIn(code, child) : []));
  if (isClause(node)) return [...editsOfClause(code, node), ...below];
  const handler = isCall(node) && handlerIn(node);
  if (!handler) return below;
  const { start, end } = handler;
  return [{ at: start, put: `((f) => (e) => (${TELL}(e), f(e)))(` }, { at: end, put: ')' }, ...below];
}

function editsOfClause(code: string, { param, body }: Clause): readonly Edit[] {
  if (param?.type === 'Identifier') return [{ at: body.start + 1, put: `${TELL}(${param.name});` }];
  const tell = `${TELL}(caught$);`;
  if (!param) {
    return [
      { at: body.start, put: '(caught$) ' },
      { at: body.start + 1, put: tell },
    ];
  }
  // A destructured parameter has no name: it gets one, and is destructured in the body.
  const { start, end } = param;
  return [
    { at: start, until: end, put: 'caught$' },
    { at: body.start + 1, put: `${tell}let ${code.slice(start, end)} = caught$;` },
  ];
}

/** Returns the error handler of a call of `.catch` or `.then`, if it is a function literal. */
function handlerIn({ callee, arguments: given }: Call): Node | undefined {
  const method = callee.property?.name;
  const handler = method === 'catch' ? given[0] : method === 'then' ? given[1] : undefined;
  return handler && /^(ArrowFunction|Function)Expression$/.test(handler.type) ? handler : undefined;
}

interface Clause extends Node {
  readonly param: (Node & { readonly name?: string }) | null;
  readonly body: Node;
}

interface Call extends Node {
  readonly callee: { readonly property?: { readonly name?: string } };
  readonly arguments: readonly Node[];
}

function isClause(node: object): node is Clause {
  return 'type' in node && node.type === 'CatchClause';
}

function isCall(node: object): node is Call {
  return 'type' in node && node.type === 'CallExpression';
}
