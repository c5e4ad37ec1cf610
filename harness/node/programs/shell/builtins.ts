import type { Signal } from '../program.ts';
import { signals } from '../program.ts';
import { test } from '../test-command.ts';
import { Leave } from './leave.ts';
import type { Output, ShellState } from './shell-state.ts';

/** A command that the shell itself implements. It returns the exit code. */
type Builtin = (shell: ShellState, argv: readonly string[], output: Output) => number | Promise<number>;

/** The built-in commands of the shell, by name. */
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
    throw new Leave(
      'exit',
      await process.exec(argv, { env: Object.fromEntries(variables), stdin: process.stdin }),
    );
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

  /** `trap 'script' TERM INT` runs the script after the current command. The signal also ends a `wait`. */
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

  test: ({ process }, argv, output) => test({ ...process, ...output, argv }),
  '[': ({ process }, argv, output) => test({ ...process, ...output, argv }),
};
