import type { Signal } from '../program.ts';
import { signals } from '../program.ts';
import { Leave } from './leave.ts';
import type { Output, Shell } from './shell.ts';

/** A command that the shell itself carries out. Gives its exit code. */
type Builtin = (shell: Shell, argv: readonly string[], output: Output) => number | Promise<number>;

/** The commands of the shell itself, by name. */
export const builtins: Readonly<Record<string, Builtin>> = {
  ':': () => 0,
  true: () => 0,
  false: () => 1,

  echo(_, [, ...words], { stdout }) {
    const [flag, ...rest] = words;
    const interprets = flag === '-e';
    const text = (flag === '-n' || interprets ? rest : words).join(' ');
    stdout(
      (interprets ? text.replaceAll('\\n', '\n').replaceAll('\\t', '\t') : text) +
        (flag === '-n' ? '' : '\n'),
    );
    return 0;
  },

  exit(shell, [, code]) {
    throw new Leave('exit', code === undefined ? shell.status : Number(code) & 0xff);
  },
  break() {
    throw new Leave('break', 0);
  },
  continue() {
    throw new Leave('continue', 0);
  },

  async exec({ process, variables }, [, ...argv]) {
    if (argv.length === 0) return 0;
    throw new Leave('exit', await process.exec(argv, { env: Object.fromEntries(variables) }));
  },

  export({ variables }, [, ...words]) {
    for (const word of words) {
      const [name = '', ...value] = word.split('=');
      if (word.includes('=')) variables.set(name, value.join('='));
    }
    return 0;
  },

  set(shell, [, ...flags]) {
    for (const flag of flags) {
      if (/^-\w*e/.test(flag)) shell.errexit = true;
      if (/^\+\w*e/.test(flag)) shell.errexit = false;
    }
    return 0;
  },

  /** `trap 'script' TERM INT`: it runs when the command that runs now is over, and ends a `wait`. */
  trap(shell, [, script = '', ...names]) {
    for (const name of names) {
      const signal = `SIG${name.replace(/^SIG/, '')}`;
      if (!Object.hasOwn(signals, signal)) continue;
      shell.process.onSignal(signal as Signal, () => {
        if (script !== '') shell.pendingTraps.push(script);
        shell.onTrap();
      });
    }
    return 0;
  },

  async wait(shell) {
    const interrupted = new Promise<void>((resolve) => {
      shell.onTrap = resolve;
    });
    await Promise.race([Promise.all(shell.background), interrupted]);
    return shell.pendingTraps.length > 0 ? 128 + signals.SIGTERM : 0;
  },

  test: (shell, [, ...words]) => test(shell, words),
  '[': (shell, [, ...words]) => test(shell, words.slice(0, -1)),
};

async function test(shell: Shell, words: readonly string[]): Promise<number> {
  if (words[0] === '!') return (await test(shell, words.slice(1))) === 0 ? 1 : 0;
  return (await holds(shell, words)) ? 0 : 1;
}

async function holds({ process }: Shell, words: readonly string[]): Promise<boolean> {
  const [a = '', operator = '', b = ''] = words;
  switch (words.length) {
    case 1:
      return a !== '';
    case 2: {
      if (a === '-z') return operator === '';
      if (a === '-n') return operator !== '';
      const type = await process.files.lstat(operator).then(
        (found) => found?.type,
        () => undefined,
      );
      return a === '-d'
        ? type === 'directory'
        : a === '-f'
          ? type === 'file' || type === 'symlink'
          : type !== undefined;
    }
    case 3:
      return compare(a, operator, b);
    default:
      return false;
  }
}

function compare(a: string, operator: string, b: string): boolean {
  switch (operator) {
    case '=':
    case '==':
      return a === b;
    case '!=':
      return a !== b;
    case '-eq':
      return Number(a) === Number(b);
    case '-ne':
      return Number(a) !== Number(b);
    case '-lt':
      return Number(a) < Number(b);
    case '-le':
      return Number(a) <= Number(b);
    case '-gt':
      return Number(a) > Number(b);
    case '-ge':
      return Number(a) >= Number(b);
    default:
      return false;
  }
}
