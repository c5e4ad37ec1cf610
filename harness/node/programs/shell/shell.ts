import { Pipe } from '../input.ts';
import { noInput, type Process, type Program } from '../program.ts';
import { builtins } from './builtins.ts';
import { expand, expandOne } from './expand.ts';
import { Leave } from './leave.ts';
import { Lines } from './lines.ts';
import { parse } from './parse.ts';
import type { Output, ShellState } from './shell-state.ts';
import { type Command, type Redirect, ScriptError } from './syntax.ts';

/** The exit code of a shell for a syntax error. */
const SYNTAX_ERROR = 2;

/**
 * A POSIX shell with the features that manifests use: `sh -c 'script' [name arguments…]`. It supports lists, `&&`,
 * `||`, `if`, `while`, `for`, `&`, pipes, variables, `$(…)`, `$((…))`, and output to files. Without `-c` it reads
 * commands from its input.
 *
 * Differs: it has no subshells, functions, input from files or patterns, and rejects them. In a pipe, a command
 * continues after its reader has exited.
 */
export const sh: Program = async (process) => {
  const { argv, stderr } = process;
  const at = argv.findIndex((arg) => /^-[a-z]*c$/.test(arg));
  if (at < 0) {
    const [file] = argv.slice(1).filter((arg) => !arg.startsWith('-'));
    return file === undefined ? runInput(process) : runFile(process, file);
  }
  return runScript(process, argv[at + 1] ?? '', {
    errexit: (argv[at] ?? '').includes('e'),
    args: argv.slice(at + 2),
  }).catch((error: unknown) => {
    if (!(error instanceof ScriptError)) throw error;
    stderr(`${argv[0]}: ${error.message}\n`);
    return SYNTAX_ERROR;
  });
};

async function runFile(process: Process, file: string): Promise<number> {
  const script = await process.files.readFile(file).catch(() => undefined);
  if (script !== undefined) return runScript(process, script, { errexit: false, args: [] });
  process.stderr(`${process.argv[0]}: can't open '${file}': No such file or directory\n`);
  return SYNTAX_ERROR;
}

async function runScript(
  process: Process,
  script: string,
  options: { readonly errexit: boolean; readonly args: readonly string[] },
): Promise<number> {
  return new Shell(process, options).run(parse(script));
}

/** The prompts on a terminal: for a command, and for the rest of an incomplete one. */
const PROMPT = '# ';
const PROMPT_FOR_MORE = '> ';

/** Reads commands, and runs each as soon as it is complete. */
async function runInput(process: Process): Promise<number> {
  const { tty, stdout, stderr } = process;
  const shell = new Shell(process, { errexit: false, args: [] });
  const lines = new Lines(process.stdin);
  // Ctrl-C interrupts the running command, but not the shell.
  if (tty) process.onSignal('SIGINT', () => stdout('\n'));
  let script = '';
  for (;;) {
    if (tty) stdout(script === '' ? PROMPT : PROMPT_FOR_MORE);
    const line = await lines.next();
    if (line === undefined) return shell.status;
    script += line;
    try {
      const command = script.trim() === '' ? undefined : parse(script);
      if (command && (await shell.runOne(command)) === 'left') return shell.status;
    } catch (error) {
      if (!(error instanceof ScriptError)) throw error;
      if (error.isUnfinished) continue;
      stderr(`${process.argv[0]}: ${error.message}\n`);
      shell.status = SYNTAX_ERROR;
    }
    script = '';
  }
}

/** The state of a running script. */
class Shell implements ShellState {
  readonly process: Process;
  readonly variables: Map<string, string>;
  readonly args: readonly string[];
  /** The exit code of the last command. */
  status = 0;
  errexit: boolean;
  readonly background = new Set<Promise<number>>();
  /** Scripts to run after the current command, for signals that have arrived. */
  readonly pendingTraps: string[] = [];
  /** Ends `wait` when a signal arrives. */
  onTrap: () => void = () => {};

  constructor(
    process: Process,
    { errexit, args }: { readonly errexit: boolean; readonly args: readonly string[] },
  ) {
    this.process = process;
    this.variables = new Map(Object.entries(process.env));
    this.errexit = errexit;
    this.args = args;
  }

  /** Runs a command. @returns its exit code */
  run(command: Command): Promise<number> {
    const { stdout, stderr } = this.process;
    return this.#inside(command, { stdout, stderr });
  }

  /** Runs one command of an interactive session. @returns whether the command was `exit` */
  async runOne(command: Command): Promise<'left' | 'here'> {
    try {
      const { stdout, stderr } = this.process;
      await this.execute(command, { stdout, stderr }, true);
      return 'here';
    } catch (error) {
      if (!(error instanceof Leave)) throw error;
      this.status = error.code;
      return error.what === 'exit' ? 'left' : 'here';
    }
  }

  /** @param checked - whether `set -e` applies, which it does not in a condition */
  async execute(command: Command, output: Output, checked: boolean): Promise<void> {
    switch (command.kind) {
      case 'list':
        for (const { command: each, background } of command.items) {
          if (background) this.#start(each, output);
          else await this.execute(each, output, checked);
        }
        return;
      case 'and':
      case 'or':
        await this.execute(command.left, output, false);
        if ((this.status === 0) === (command.kind === 'and'))
          await this.execute(command.right, output, checked);
        return;
      case 'pipe':
        this.status = await this.#pipe(command.commands, output);
        this.#mustGoOn(checked);
        return;
      case 'not':
        await this.execute(command.command, output, false);
        this.status = this.status === 0 ? 1 : 0;
        return;
      case 'if':
        if (await this.#holds(command.condition, output)) await this.execute(command.then, output, checked);
        else if (command.otherwise) await this.execute(command.otherwise, output, checked);
        else this.status = 0;
        return;
      case 'while':
      case 'until': {
        const { condition, body } = command;
        await this.#loop(async () => {
          if ((await this.#holds(condition, output)) !== (command.kind === 'while')) return false;
          await this.execute(body, output, checked);
          return true;
        });
        return;
      }
      case 'for': {
        const values = (await expand(this, command.words, output)).values();
        await this.#loop(async () => {
          const { value, done } = values.next();
          if (done) return false;
          this.variables.set(command.name, value);
          await this.execute(command.body, output, checked);
          return true;
        });
        return;
      }
      case 'simple':
        await this.#simple(command, output);
        await this.#runTraps(output);
        this.#mustGoOn(checked);
    }
  }

  #mustGoOn(checked: boolean): void {
    if (checked && this.errexit && this.status !== 0) throw new Leave('exit', this.status);
  }

  /** Runs all commands at once, each in its own shell. @returns the exit code of the last one, when all have ended */
  async #pipe(commands: readonly Command[], output: Output): Promise<number> {
    let { stdin } = this.process;
    const running = commands.map(async (command, at) => {
      const pipe = at < commands.length - 1 ? new Pipe() : undefined;
      const child = this.#child({ ...this.process, stdin });
      stdin = pipe ?? noInput;
      const status = await child.#inside(
        command,
        pipe ? { ...output, stdout: (text) => pipe.type(text) } : output,
      );
      pipe?.end();
      return status;
    });
    return (await Promise.all(running)).at(-1) ?? 0;
  }

  async #holds(condition: Command, output: Output): Promise<boolean> {
    await this.execute(condition, output, false);
    return this.status === 0;
  }

  /**
   * Repeats until `turn` returns false. A turn takes at least 1 ms; otherwise an endless loop would block the
   * simulation.
   */
  async #loop(turn: () => Promise<boolean>): Promise<void> {
    const { clock } = this.process;
    let status = 0;
    for (;;) {
      const before = clock.now();
      try {
        if (!(await turn())) break;
        ({ status } = this);
      } catch (error) {
        if (!(error instanceof Leave) || error.what === 'exit' || error.what === 'error') throw error;
        if (error.what === 'break') break;
      }
      if (clock.now() > before) continue;
      await clock.sleep(1);
      this.process.spendCpu(1);
    }
    this.status = status;
  }

  #start(command: Command, output: Output): void {
    const job = this.#child().#inside(command, output);
    this.background.add(job);
    void job.then(() => this.background.delete(job));
    this.status = 0;
  }

  async #simple(command: Extract<Command, { kind: 'simple' }>, output: Output): Promise<void> {
    const values = await Promise.all(
      command.assignments.map(
        async ({ name, value }) => [name, await expandOne(this, value, output)] as const,
      ),
    );
    const argv = await expand(this, command.words, output);
    const [name] = argv;
    if (name === undefined) {
      for (const [variable, value] of values) this.variables.set(variable, value);
      this.status = 0;
      return;
    }
    const target = await this.#redirected(command.redirects, output);
    if (!target) return;
    const builtin = Object.hasOwn(builtins, name) ? builtins[name] : undefined;
    const env = { ...Object.fromEntries(this.variables), ...Object.fromEntries(values) };
    this.status = builtin
      ? await builtin(this, argv, target.output)
      : await this.process.run(argv, { env, stdin: this.process.stdin, ...target.output });
    if (!(await target.written())) this.status = 1;
  }

  /**
   * Applies redirections to a command's output. Returns undefined if a file cannot be written; then the command does
   * not run.
   */
  async #redirected(
    redirects: readonly Redirect[],
    output: Output,
  ): Promise<{ readonly output: Output; readonly written: () => Promise<boolean> } | undefined> {
    const { files, stderr } = this.process;
    const to = { ...output };
    let written = Promise.resolve(true);
    const say = (path: string, error: Error): boolean => {
      stderr(`sh: can't create ${path}: ${error.message.replace(/^.*: /, '')}\n`);
      return false;
    };
    for (const { from, to: word, append } of redirects) {
      if (!word) {
        to[from] = to[from === 'stdout' ? 'stderr' : 'stdout'];
        continue;
      }
      const path = await expandOne(this, word, output);
      if (path === '/dev/null') to[from] = () => {};
      else if (path === '/dev/stdout' || path === '/dev/stderr')
        to[from] = output[path === '/dev/stdout' ? 'stdout' : 'stderr'];
      else {
        const made = await files.writeFile(path, '', { append }).then(
          () => true,
          (error: Error) => say(path, error),
        );
        if (!made) {
          this.status = 1;
          return undefined;
        }
        to[from] = (text) => {
          written = written.then((before) =>
            files.writeFile(path, text, { append: true }).then(
              () => before,
              (error: Error) => say(path, error),
            ),
          );
        };
      }
    }
    return { output: to, written: () => written };
  }

  async capture(script: string, { stderr }: Output): Promise<string> {
    let text = '';
    const stdout = (more: string): void => {
      text += more;
    };
    this.status = await this.#child().#inside(parse(script), { stdout, stderr });
    return text;
  }

  #child(process = this.process): Shell {
    const child = new Shell(process, this);
    for (const [name, value] of this.variables) child.variables.set(name, value);
    return child;
  }

  /** @returns its exit code */
  async #inside(command: Command, output: Output): Promise<number> {
    try {
      await this.execute(command, output, true);
      return this.status;
    } catch (error) {
      if (error instanceof Leave) return error.code;
      throw error;
    }
  }

  async #runTraps(output: Output): Promise<void> {
    for (let script = this.pendingTraps.shift(); script !== undefined; script = this.pendingTraps.shift()) {
      const { status } = this;
      await this.execute(parse(script), output, false);
      this.status = status;
    }
  }
}
