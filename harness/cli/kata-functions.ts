import path from 'node:path';
import { declarationsIn, identifiersIn, membersOf } from '../workbook/declarations.ts';
import { readReference } from '../workbook/katas.ts';
import { todosIn } from '../workbook/stub.ts';
import { didYouMean } from './did-you-mean.ts';
import { Failure } from './failure.ts';
import type { Kata } from './katas.ts';

/** A function that a kata asks for. */
export interface KataFunction {
  /** `proportionOf`, `Queue.add` */
  readonly symbol: string;
  /** `Level 2` */
  readonly heading: string;
  /** The learner's code; absent if the stub no longer declares the function. */
  readonly own?: string;
  /** The reference's code; absent if the reference does not have the function. */
  readonly reference?: PlacedCode;
}

/** A piece of code, and its place. */
interface PlacedCode {
  /** Relative to the workbook, with the line: `solutions/22-workqueue/workqueue.ts:45`. */
  readonly place: string;
  readonly code: string;
}

/**
 * Returns the functions of a kata, in the order of the original stub. The method of an object has the code of the whole
 * object.
 *
 * @param root the workbook's folder
 */
export function functionsOf(
  root: string,
  { id, text = '', pristine = text }: Pick<Kata, 'id' | 'text' | 'pristine'>,
): readonly KataFunction[] {
  const reference = [...readReference({ solution: path.join(root, 'solutions', id) })];
  const headings = new Map(todosIn(pristine).map(({ symbol, heading }) => [symbol, heading]));
  return [...headings].map(([symbol, heading]) => {
    const own = codeOf(text, symbol);
    const [theirs] = reference.flatMap(([file, source]) => {
      const found = codeOf(source, symbol);
      if (!found?.exported) return [];
      const place = path.relative(root, file).replaceAll(path.sep, '/');
      return [{ place: `${place}:${found.line}`, code: found.code }];
    });
    return {
      symbol,
      heading,
      ...(own === undefined ? {} : { own: own.code }),
      ...(theirs === undefined ? {} : { reference: theirs }),
    };
  });
}

/**
 * Finds a function of a kata.
 *
 * @param command verb of the command, for a {@link Failure}: `show`
 * @throws Failure when the kata has no such function
 */
export function findFunction(
  functions: readonly KataFunction[],
  { kata, symbol, command }: { readonly kata: string; readonly symbol: string; readonly command: string },
): KataFunction {
  const found = functions.find((each) => each.symbol === symbol);
  if (found) return found;
  const names = functions.map((each) => each.symbol);
  const all = `Its functions: ${names.join(', ')}.`;
  const next = [didYouMean(symbol, names), all].filter(Boolean).join(' ');
  throw new Failure(`${command} ${symbol}`, `${kata} has no such function`, next);
}

/**
 * Returns the helpers that the reference's code of a function uses, directly or through each other: functions, constants
 * and private methods that the kata does not ask for, in the order of their first use.
 *
 * @param root the workbook's folder
 */
export function helpersOf(
  root: string,
  { id, text = '', pristine = text }: Pick<Kata, 'id' | 'text' | 'pristine'>,
  { symbol, reference }: KataFunction,
): readonly PlacedCode[] {
  const asked = new Set(declarationsIn(pristine).map(({ name }) => name));
  const files = [...readReference({ solution: path.join(root, 'solutions', id) })];
  const [owner = ''] = symbol.split('.');
  const found = new Map<string, PlacedCode>();
  const visit = (code: string): void => {
    const methods = [...code.matchAll(/\bthis\.(#\w+)\(/g)].map(([, name]) => `${owner}.${name}`);
    for (const name of [...identifiersIn(code), ...methods]) {
      if (asked.has(name) || found.has(name)) continue;
      const [helper] = files.flatMap(([file, source]) => {
        const known = codeOf(source, name);
        const place = path.relative(root, file).replaceAll(path.sep, '/');
        return known === undefined || /^(export )?(interface|type) /.test(known.code)
          ? []
          : [{ place: `${place}:${known.line}`, code: known.code }];
      });
      if (!helper) continue;
      found.set(name, helper);
      visit(helper.code);
    }
  };
  visit(reference?.code ?? '');
  return [...found.values()];
}

/** Returns the code of a declaration or of a class's member, without its comment; undefined if it does not exist. */
function codeOf(
  text: string,
  symbol: string,
): { readonly code: string; readonly line: number; readonly exported: boolean } | undefined {
  const [name, method] = symbol.split('.');
  const found = declarationsIn(text).find((each) => each.name === name);
  if (!found) return undefined;
  const members = membersOf(found);
  const begin = found.from + found.doc.length;
  const at = (offset: number): number => text.slice(0, offset).split('\n').length;
  const exported = found.code.startsWith('export ');
  if (members.length === 0) return { code: found.code, line: at(begin), exported };
  // The constructor has the name of the class.
  const member = members.find((each) => each.name === (method ?? 'constructor'));
  if (!member) return undefined;
  const offset = found.code.indexOf(member.doc + member.code) + member.doc.length;
  return { code: member.code, line: at(begin + offset), exported };
}
