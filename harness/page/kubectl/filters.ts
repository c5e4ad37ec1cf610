import { didYouMean } from '../../cli/did-you-mean.ts';
import { KubectlError } from './kubectl-error.ts';

/** A program after a pipe. */
interface Filter {
  /** Takes a line without its newline. */
  line(text: string): void;
  /** Ends the input. Returns the exit code. */
  end(): number;
}

const NAMES = ['grep', 'wc', 'head'];

/**
 * Returns the program of these words: `grep [-ivcE] [-A n] PATTERN`, `wc -l`, `head -n 3`.
 *
 * @param out prints lines with their newlines
 * @throws KubectlError for another program or another option
 */
function filterOf([name = '', ...words]: readonly string[], out: (text: string) => void): Filter {
  switch (name) {
    case 'grep':
      return grep(words, out);
    case 'wc':
      return wc(words, out);
    case 'head':
      return head(words, out);
    default:
      throw new KubectlError(
        `the prompt takes "grep", "wc" and "head" after a pipe, not "${name}". ${didYouMean(name, NAMES)}`.trimEnd(),
      );
  }
}

function grep(words: readonly string[], out: (text: string) => void): Filter {
  const options = words.filter((word) => /^-[ivcEwo]+$/.test(word)).join('');
  const patterns = words.filter((word) => !/^-/.test(word));
  const unknown = words.find((word) => /^-/.test(word) && !/^-[ivcEwo]+$/.test(word));
  if (unknown !== undefined)
    throw new KubectlError(`grep takes -i, -v, -c, -E, -w and -o here, not ${unknown}`);
  const [pattern, more] = patterns;
  if (pattern === undefined || more !== undefined) {
    throw new KubectlError('grep takes one pattern; put a pattern with spaces in quotes');
  }
  const has = (option: string): boolean => options.includes(option);
  const source = has('E') ? pattern : asExtended(pattern);
  const regular = expression(has('w') ? `\\b(?:${source})\\b` : source, `g${has('i') ? 'i' : ''}`);
  let found = 0;
  return {
    line(text) {
      const matches = text.match(regular);
      if ((matches !== null) === has('v')) return;
      found++;
      if (has('c')) return;
      if (has('o')) for (const match of matches ?? []) out(`${match}\n`);
      else out(`${text}\n`);
    },
    end() {
      if (has('c')) out(`${found}\n`);
      return found > 0 ? 0 : 1;
    },
  };
}

/** In a basic regular expression `+?|(){}` mean themselves, and with a backslash they have their meaning. */
function asExtended(pattern: string): string {
  return pattern.replace(
    /\\([+?|(){}])|[+?|(){}]/g,
    (text, escaped: string | undefined) => escaped ?? `\\${text}`,
  );
}

function expression(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch {
    throw new KubectlError(`grep cannot read the pattern ${source}`);
  }
}

function wc(words: readonly string[], out: (text: string) => void): Filter {
  const [option = '', ...more] = words;
  if (!['', '-l', '-w', '-c'].includes(option) || more.length > 0) {
    throw new KubectlError(`wc takes -l, -w or -c here, not ${words.join(' ')}`);
  }
  let [lines, count, characters] = [0, 0, 0];
  return {
    line(text) {
      lines++;
      count += text.split(/\s+/).filter((word) => word !== '').length;
      characters += new TextEncoder().encode(text).length + 1;
    },
    end() {
      const all: Readonly<Record<string, string>> = {
        '-l': `${lines}`,
        '-w': `${count}`,
        '-c': `${characters}`,
      };
      out(`${all[option] ?? [lines, count, characters].map((each) => String(each).padStart(7)).join(' ')}\n`);
      return 0;
    },
  };
}

function head(words: readonly string[], out: (text: string) => void): Filter {
  const number = /^(?:-n ?|--lines=|-)?(\d+)$/.exec(words.join(' '))?.[1];
  if (words.length > 0 && number === undefined) {
    throw new KubectlError(`head takes -n with a number here, not ${words.join(' ')}`);
  }
  let left = number === undefined ? 10 : Number(number);
  return {
    line(text) {
      if (left-- > 0) out(`${text}\n`);
    },
    end: () => 0,
  };
}

/**
 * Connects programs: returns the function that takes the text of the first command, and the function that ends it and
 * returns the code of the last program.
 */
export function pipe(
  programs: readonly (readonly string[])[],
  out: (text: string) => void,
): { readonly write: (text: string) => void; readonly end: (code: number) => number } {
  const ends: (() => number)[] = [];
  let write = out;
  for (const words of programs.toReversed()) {
    const filter = filterOf(words, write);
    let open = '';
    write = (text) => {
      const lines = (open + text).split('\n');
      open = lines.pop() ?? '';
      for (const line of lines) filter.line(line);
    };
    ends.unshift(() => {
      if (open !== '') filter.line(open);
      return filter.end();
    });
  }
  return { write, end: (code) => ends.reduce((_, end) => end(), code) };
}
