import { Leave } from './leave.ts';
import type { Output, ShellState } from './shell-state.ts';
import type { Piece, Word } from './syntax.ts';

/** Expands words. An unquoted variable may yield any number of words, even none. */
export async function expand(shell: ShellState, words: readonly Word[], output: Output): Promise<string[]> {
  const found: string[] = [];
  for (const word of words) found.push(...(await fieldsOf(shell, word, output)));
  return found;
}

/** Expands a word to a single word, without splitting it. */
export async function expandOne(shell: ShellState, word: Word, output: Output): Promise<string> {
  let text = '';
  for (const piece of word) text += await meaning(shell, piece, output);
  return text;
}

async function fieldsOf(shell: ShellState, word: Word, output: Output): Promise<readonly string[]> {
  const fields: string[] = [];
  let field: string | undefined;
  for (const piece of word) {
    const text = await meaning(shell, piece, output);
    if (piece.kind === 'text' || piece.kind === 'sum' || piece.quoted) {
      field = (field ?? '') + text;
      continue;
    }
    const [first = '', ...rest] = text.split(/\s+/);
    if (first !== '') field = (field ?? '') + first;
    for (const next of rest) {
      if (field !== undefined) fields.push(field);
      field = next === '' ? undefined : next;
    }
  }
  if (field !== undefined) fields.push(field);
  return fields;
}

async function meaning(shell: ShellState, piece: Piece, output: Output): Promise<string> {
  switch (piece.kind) {
    case 'text':
      return piece.text;
    case 'variable': {
      const value = variable(shell, piece.name);
      return value === '' && piece.otherwise !== undefined ? piece.otherwise : value;
    }
    case 'output':
      return (await shell.capture(piece.script, output)).replace(/\n+$/, '');
    case 'sum':
      return String(sum(shell, piece.expression, output));
  }
}

function variable(shell: ShellState, name: string): string {
  if (name === '?') return String(shell.status);
  if (name === '$' || name === '!') return '1';
  if (name === '#') return String(Math.max(0, shell.args.length - 1));
  if (name === '@') return shell.args.slice(1).join(' ');
  if (/^\d$/.test(name)) return shell.args[Number(name)] ?? '';
  return shell.variables.get(name) ?? '';
}

/** The exit code of a script with an invalid expression. */
const EXPRESSION_ERROR = 2;

/**
 * Evaluates integers and variables with `+ - * / %`, from left to right, products first. Brackets are not supported.
 * Upstream: mirror/busybox@1_36_1 shell/math.c arith_apply
 *
 * @throws Leave after a division by zero, which it prints
 */
function sum(shell: ShellState, expression: string, { stderr }: Output): number {
  const number = (atom: string): number => Number(/^-?\d+$/.test(atom) ? atom : variable(shell, atom) || 0);
  const terms = expression.replaceAll('$', '').match(/[+-]?[^+-]+/g) ?? [];
  return terms.reduce((total, term) => {
    const sign = term.trim().startsWith('-') ? -1 : 1;
    const [first = '', ...rest] = term
      .replace(/^\s*[+-]/, '')
      .split(/([*/%])/)
      .map((part) => part.trim());
    let value = number(first);
    for (let i = 0; i < rest.length; i += 2) {
      const other = number(rest[i + 1] ?? '');
      if (rest[i] !== '*' && other === 0) {
        stderr(`${shell.process.argv[0]}: divide by zero\n`);
        throw new Leave('error', EXPRESSION_ERROR);
      }
      if (rest[i] === '*') value *= other;
      else if (rest[i] === '/') value = Math.trunc(value / other);
      else value %= other;
    }
    return total + sign * value;
  }, 0);
}
