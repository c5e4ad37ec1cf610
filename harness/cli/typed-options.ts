import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Failure } from './failure.ts';

type Options = NonNullable<ParseArgsConfig['options']>;
type Values<T extends Options> = ReturnType<
  typeof parseArgs<{ args: string[]; options: T; strict: true }>
>['values'];

/** Makes the error for a reason, without a full stop. */
type Fail = (why: string) => Failure;

/** Parses the words after a command, which are only options. @throws Failure when an option does not exist, or lacks its value */
export function typedOptions<const T extends Options>(
  words: readonly string[],
  options: T,
  fail: Fail,
): Values<T> {
  try {
    return parseArgs({ args: [...words], options, strict: true }).values as Values<T>;
  } catch (error) {
    const [why = ''] = (error as Error).message.split('. ');
    throw fail(why.charAt(0).toLowerCase() + why.slice(1));
  }
}

interface Bounds {
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
  readonly whole: boolean;
}

/** Parses the value of an option, which is a number. @throws Failure when it is not, or not within the bounds */
export function numberOption(
  name: string,
  text: string | undefined,
  { fallback, min, max, whole }: Bounds,
  fail: Fail,
): number {
  if (text === undefined) return fallback;
  const number = Number(text);
  if (text.trim() !== '' && number >= min && number <= max && (!whole || Number.isInteger(number)))
    return number;
  throw fail(`--${name} ${text} is not a ${whole ? 'whole ' : ''}number from ${min} to ${max}`);
}
