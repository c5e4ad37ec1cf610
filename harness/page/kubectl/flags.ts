import { didYouMean } from '../../cli/did-you-mean.ts';
import { KubectlError } from './kubectl-error.ts';

/** A flag of a command. */
export interface Flag {
  /** A letter: `n` for `-n`. */
  readonly short?: string;
  /**
   * `switch`: true without a value. `texts`: can be repeated. `list`: can be repeated, and takes values with commas
   * between them.
   */
  readonly type: 'text' | 'switch' | 'number' | 'texts' | 'list' | 'duration';
  /** The value of the flag without `=`: `--dry-run` alone. Only for texts. */
  readonly alone?: string;
  /** The part of its help after the name. */
  readonly help: string;
}

export type FlagSet = Readonly<Record<string, Flag>>;

/** The flags of a line. */
export class FlagValues {
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(values: ReadonlyMap<string, readonly string[]>) {
    this.#values = values;
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** Returns the last value; undefined without the flag. */
  text(name: string): string | undefined {
    return this.#values.get(name)?.at(-1);
  }

  /** Returns whether a switch is on. @param otherwise the value without the flag */
  isOn(name: string, otherwise = false): boolean {
    const text = this.text(name);
    return text === undefined ? otherwise : text === 'true';
  }

  /** Returns a whole number; undefined without the flag. */
  number(name: string): number | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : Number(text);
  }

  /** Returns a duration in ms: `90s`, `1m30s`, `0`. Undefined without the flag. */
  duration(name: string): number | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : durationOf(text);
  }

  /** Returns every value, in order. */
  list(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }
}

/** A line, taken apart. */
interface Parsed {
  readonly args: readonly string[];
  readonly rest: readonly string[];
  /** Whether there was a `--`. */
  readonly hasDashes: boolean;
  readonly flags: FlagValues;
}

/**
 * Separates the flags of a command from its arguments, as upstream's flags do: `-n kube-system`, `-nkube-system`,
 * `--namespace=kube-system`, `-it`.
 *
 * @param command the command in messages: `kubectl get`
 * @throws KubectlError for an unknown flag, a missing value or a wrong one
 */
export function parseFlags(words: readonly string[], set: FlagSet, command: string): Parsed {
  const args: string[] = [];
  const values = new Map<string, string[]>();
  const dashes = words.indexOf('--');
  const own = dashes < 0 ? words : words.slice(0, dashes);
  const shorts = new Map(Object.entries(set).flatMap(([name, { short }]) => (short ? [[short, name]] : [])));
  const see = `See '${command} --help' for usage.`;
  let at = 0;
  const put = (name: string, value: string, shown: string): void => {
    const flag = set[name] as Flag;
    const why = objectionTo(flag, value);
    if (why) throw new KubectlError(`invalid argument "${value}" for "${shown}" flag: ${why}\n${see}`);
    const all = flag.type === 'list' ? value.split(',') : [value];
    values.set(name, [...(values.get(name) ?? []), ...all]);
  };
  const valueAfter = (name: string, shown: string): string => {
    const flag = set[name] as Flag;
    if (flag.type === 'switch') return 'true';
    if (flag.alone !== undefined) return flag.alone;
    const next = own[at];
    if (next === undefined) throw new KubectlError(`flag needs an argument: ${shown}\n${see}`);
    at++;
    return next;
  };
  while (at < own.length) {
    const word = own[at++] as string;
    if (word.startsWith('--')) {
      const [name = '', ...value] = word.slice(2).split('=');
      if (!set[name]) throw new KubectlError(`unknown flag: --${name}. ${nearest(name, set)}${see}`);
      put(name, value.length > 0 ? value.join('=') : valueAfter(name, `--${name}`), `--${name}`);
    } else if (word.startsWith('-') && word !== '-') {
      for (let letters = word.slice(1); letters !== ''; ) {
        const letter = letters.charAt(0);
        const name = shorts.get(letter);
        if (!name) throw new KubectlError(`unknown shorthand flag: '${letter}' in ${word}\n${see}`);
        const shown = `-${letter}, --${name}`;
        const tail = letters.slice(1);
        const isSwitch = set[name]?.type === 'switch';
        if (tail.startsWith('=')) put(name, tail.slice(1), shown);
        else if (tail !== '' && !isSwitch) put(name, tail, shown);
        else put(name, valueAfter(name, `'${letter}' in ${word}`), shown);
        letters = isSwitch && !tail.startsWith('=') ? tail : '';
      }
    } else args.push(word);
  }
  const rest = dashes < 0 ? [] : words.slice(dashes + 1);
  return { args, rest, hasDashes: dashes >= 0, flags: new FlagValues(values) };
}

function nearest(name: string, set: FlagSet): string {
  const meant = didYouMean(
    `--${name}`,
    Object.keys(set).map((each) => `--${each}`),
  );
  return meant === '' ? '' : `${meant} `;
}

function objectionTo({ type }: Flag, value: string): string | undefined {
  if (type === 'number' && !/^-?\d+$/.test(value))
    return `strconv.ParseInt: parsing "${value}": invalid syntax`;
  if (type === 'switch' && value !== 'true' && value !== 'false') {
    return `strconv.ParseBool: parsing "${value}": invalid syntax`;
  }
  if (type === 'duration' && Number.isNaN(durationOf(value))) return `time: invalid duration "${value}"`;
  return undefined;
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Returns a duration in ms; NaN for another text. */
function durationOf(text: string): number {
  if (/^-?\d+$/.test(text)) return Number(text) * 1_000;
  if (!/^-?(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return Number.NaN;
  let ms = 0;
  for (const [, number, unit = ''] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)) {
    ms += Number(number) * (UNITS[unit] ?? 0);
  }
  return text.startsWith('-') ? -ms : ms;
}
