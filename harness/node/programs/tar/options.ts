/** The options of a tar command. */
export interface TarOptions {
  /** Whether to create, extract or list an archive. */
  readonly mode: 'c' | 'x' | 't';
  /** The archive file; `-` for standard input or output. */
  readonly archive: string;
  /** The directory that names are relative to. */
  readonly directory: string;
  readonly verbose: boolean;
  /** Whether the archive is compressed with gzip. */
  readonly gzip: boolean;
  /** Whether extracted files keep the modes of the archive. */
  readonly samePermissions: boolean;
  readonly operands: readonly string[];
}

/** Thrown for invalid arguments. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** Whether an option is the reason. */
  readonly ofOption: boolean;

  constructor(message: string, { ofOption }: { readonly ofOption: boolean }) {
    super(message);
    this.ofOption = ofOption;
  }
}

const LONG: Readonly<Record<string, string>> = {
  create: 'c',
  extract: 'x',
  get: 'x',
  list: 't',
  file: 'f',
  directory: 'C',
  verbose: 'v',
  gzip: 'z',
  gunzip: 'z',
  ungzip: 'z',
  touch: 'm',
  'preserve-permissions': 'p',
  'same-permissions': 'p',
  'no-same-permissions': 'N',
  'same-owner': 's',
  'no-same-owner': 'o',
};
const WITH_VALUE = 'fC';
/** Options without an effect here: files have no owners and no times, and root keeps modes anyway. */
const WITHOUT_EFFECT = 'mops';

/**
 * Parses the arguments of tar. The first may be letters without a dash, followed by their values: `tar cf - /etc`.
 *
 * @throws UsageError when the arguments are invalid
 */
export function tarOptions([, ...argv]: readonly string[]): TarOptions {
  let mode: TarOptions['mode'] | undefined;
  let samePermissions = true;
  let verbose = false;
  let gzip = false;
  const values: Record<string, string> = { f: '-', C: '/' };
  const operands: string[] = [];
  const words = [...argv];
  const apply = (letter: string, value: () => string | undefined): void => {
    if (letter === 'c' || letter === 'x' || letter === 't') mode = letter;
    else if (letter === 'v') verbose = true;
    else if (letter === 'z') gzip = true;
    else if (letter === 'N') samePermissions = false;
    else if (WITH_VALUE.includes(letter)) {
      const given = value();
      if (given === undefined) throw option(`option requires an argument -- '${letter}'`);
      values[letter] = given;
    } else if (!WITHOUT_EFFECT.includes(letter)) throw option(`invalid option -- '${letter}'`);
  };
  const next = (): string | undefined => words.shift();
  if (words[0] && !words[0].startsWith('-')) for (const letter of words.shift() ?? '') apply(letter, next);
  for (let word = next(); word !== undefined; word = next()) {
    if (word.startsWith('--')) {
      const [name = '', ...value] = word.slice(2).split('=');
      const letter = Object.hasOwn(LONG, name) ? LONG[name] : undefined;
      if (letter === undefined) throw option(`unrecognized option '--${name}'`);
      apply(letter, () => (value.length > 0 ? value.join('=') : next()));
    } else if (word.startsWith('-') && word !== '-') {
      const letters = [...word.slice(1)];
      for (let letter = letters.shift(); letter !== undefined; letter = letters.shift()) {
        apply(letter, () => (letters.length > 0 ? letters.splice(0).join('') : next()));
      }
    } else operands.push(word);
  }
  if (mode === undefined) {
    throw usage("You must specify one of the '-Acdtrux', '--delete' or '--test-label' options");
  }
  if (mode === 'c' && operands.length === 0) throw usage('Cowardly refusing to create an empty archive');
  return {
    mode,
    verbose,
    gzip,
    samePermissions,
    operands,
    archive: values.f ?? '-',
    directory: values.C ?? '/',
  };
}

const option = (message: string): UsageError => new UsageError(message, { ofOption: true });
const usage = (message: string): UsageError => new UsageError(message, { ofOption: false });
