/** The options of a curl command. */
export interface CurlOptions {
  readonly url: string;
  /** Flags by their letter: `s`, `S`, `f`, `v`, `k`. */
  readonly flags: ReadonlySet<string>;
  readonly output: string | undefined;
  readonly writeOut: string;
  readonly maxTimeMs: number;
  readonly connectTimeoutMs: number;
  /** Request headers, with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly method: string;
  /** The body of the request; undefined without one. */
  readonly data: string | undefined;
}

/** The failure of a transfer, with curl's exit code and message. */
export interface CurlFailure {
  /** Upstream: curl/curl@curl-8_14_1 include/curl/curl.h CURLcode */
  readonly code: number;
  readonly message: string;
}

/** Longer than any run. */
const ENDLESS_MS = 2 ** 40;
/** Upstream: curl/curl@curl-8_14_1 lib/connect.h DEFAULT_CONNECT_TIMEOUT */
const CONNECT_TIMEOUT_MS = 300_000;

const switches: Readonly<Record<string, string>> = {
  '--silent': 's',
  '--show-error': 'S',
  '--fail': 'f',
  '--verbose': 'v',
  '--insecure': 'k',
};
const settings: Readonly<Record<string, string>> = {
  '--output': 'o',
  '--write-out': 'w',
  '--max-time': 'm',
  '--connect-timeout': 'connect-timeout',
  '--header': 'H',
  '--data': 'd',
  '--request': 'X',
};
const LETTERS_WITH_VALUE = 'owmHdX';

/** Parses the arguments of a command. */
export function curlOptions(words: readonly string[]): CurlOptions | CurlFailure {
  const flags = new Set<string>();
  const values = new Map<string, string[]>();
  const urls: string[] = [];
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (!word.startsWith('-') || word === '-') urls.push(word);
    else if (word.startsWith('--')) {
      const setting = settings[word];
      const flag = switches[word];
      if (flag !== undefined) flags.add(flag);
      else if (setting !== undefined) add(setting, rest.shift());
      else return { code: 2, message: `option ${word}: is unknown` };
    } else {
      const problem = readLetters(word.slice(1));
      if (problem) return problem;
    }
  }
  const [url] = urls;
  if (url === undefined) return { code: 2, message: '(2) no URL specified' };
  return {
    url,
    flags,
    output: last('o'),
    writeOut: last('w') ?? '',
    maxTimeMs: milliseconds('m', ENDLESS_MS),
    connectTimeoutMs: milliseconds('connect-timeout', CONNECT_TIMEOUT_MS),
    headers: Object.fromEntries((values.get('H') ?? []).map(headerIn)),
    method: last('X') ?? (values.has('d') ? 'POST' : 'GET'),
    data: values.get('d')?.join('&'),
  };

  function add(name: string, value = ''): void {
    values.set(name, [...(values.get(name) ?? []), value]);
  }

  /** Parses short options: `-sSo FILE`, `-m5`. */
  function readLetters(letters: string): CurlFailure | undefined {
    for (const [at, letter] of [...letters].entries()) {
      if (LETTERS_WITH_VALUE.includes(letter)) {
        add(letter, letters.slice(at + 1) || rest.shift());
        return undefined;
      }
      if (!Object.values(switches).includes(letter)) {
        return { code: 2, message: `option -${letters}: is unknown` };
      }
      flags.add(letter);
    }
    return undefined;
  }

  function last(name: string): string | undefined {
    return values.get(name)?.at(-1);
  }

  function milliseconds(name: string, otherwise: number): number {
    const seconds = last(name);
    return seconds === undefined ? otherwise : Number(seconds) * 1_000;
  }
}

function headerIn(line: string): [name: string, value: string] {
  const [name = '', ...value] = line.split(':');
  return [name.trim().toLowerCase(), value.join(':').trim()];
}
