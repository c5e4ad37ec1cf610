import { getOwn } from '../../api/own.ts';
import { bytesOfText, textOfBytes } from '../../contracts/node/index.ts';
import { reasonOf } from './errno-words.ts';
import { flagValue, hasFlag } from './flags.ts';
import { forever } from './pause.ts';
import type { Process, Program, Programs } from './program.ts';
import { sleep } from './sleep.ts';
import { tar } from './tar/tar.ts';
import { test } from './test-command.ts';

/** Returns the arguments that are not flags. */
function operands({ argv }: Process): readonly string[] {
  return argv.slice(1).filter((arg) => !/^-./.test(arg));
}

/** Calls a function for each file, and reports failures on stderr. @returns the exit code */
async function eachFile(process: Process, act: (path: string) => Promise<void>): Promise<number> {
  let code = 0;
  for (const path of operands(process)) {
    await act(path).catch((error: Error) => {
      process.stderr(`${process.argv[0]}: ${path}: ${reasonOf(error)}\n`);
      code = 1;
    });
  }
  return code;
}

const cat: Program = async (process) => {
  if (operands(process).length > 0) {
    return eachFile(process, async (path) => process.stdout(await process.files.readFile(path)));
  }
  for (;;) {
    const text = await process.stdin.read();
    if (text === undefined) return 0;
    process.stdout(text);
  }
};

const echo: Program = async ({ argv, stdout }) => {
  stdout(`${argv.slice(1).join(' ')}\n`);
  return 0;
};

const env: Program = async ({ env: variables, stdout }) => {
  for (const [name, value] of Object.entries(variables)) stdout(`${name}=${value}\n`);
  return 0;
};

/** Prints all variables, or the values of the named ones. Exits with 1 if one of them is not set. */
const printenv: Program = async (process) => {
  const names = operands(process);
  if (names.length === 0) return env(process);
  const values = names.map((name) => getOwn(process.env, name));
  for (const value of values) if (value !== undefined) process.stdout(`${value}\n`);
  return values.includes(undefined) ? 1 : 0;
};

const date: Program = async ({ clock, stdout, argv }) => {
  const now = clock.now();
  stdout(`${argv[1] === '+%s' ? Math.floor(now / 1_000) : new Date(now).toUTCString()}\n`);
  return 0;
};

const hostname: Program = async (process) => {
  process.stdout(`${process.hostname}\n`);
  return 0;
};

/** Lists the files of directories. `-A` and `-a` also list hidden files, whose names begin with a dot. */
const ls: Program = (process) => {
  const { argv, files, stdout } = process;
  if (operands(process).length === 0) return process.exec([...argv, '/']);
  const all = hasFlag(argv, '-a') || hasFlag(argv, '-A');
  return eachFile(process, async (path) => {
    const found = await files.lstat(path);
    const names = found && found.type !== 'directory' ? [path] : await files.readdir(path);
    for (const name of names) if (all || !name.startsWith('.') || name === path) stdout(`${name}\n`);
  });
};

const touch: Program = (process) =>
  eachFile(process, (path) => process.files.writeFile(path, '', { append: true }));

const mkdir: Program = (process) => eachFile(process, (path) => process.files.mkdirAll(path));

const rm: Program = (process) => eachFile(process, (path) => process.files.removeAll(path));

/**
 * Prints the last ten lines, or the given number of lines (`-n 3`) or bytes (`-c 3`). With a plus sign, prints
 * everything from that line or byte on (`-c+1`). With `-f` it never exits.
 *
 * Differs: it prints only text that exists at its start.
 */
const tail: Program = async (process) => {
  const { argv, files, stdout } = process;
  const bytes = flagValue(argv, '-c');
  const show = (text: string): void => {
    if (bytes !== undefined) stdout(textOfBytes(lastOf(bytesOfText(text), bytes)));
    else stdout(lastOf(text.split(/(?<=\n)/), flagValue(argv, '-n') ?? '10').join(''));
  };
  const paths = argv.filter((arg, at) => at > 0 && !/^-./.test(arg) && !/^-[cn]$/.test(argv[at - 1] ?? ''));
  if (paths.length === 0) show(await readAll(process.stdin));
  const code = await eachFile({ ...process, argv: ['tail', ...paths] }, async (path) => {
    if (path !== '/dev/null') show(await files.readFile(path));
  });
  return hasFlag(argv, '-f') ? forever() : code;
};

/** @param count - the number of lines or bytes; with a plus sign, the number of the first one */
function lastOf<T extends Uint8Array | readonly string[]>(all: T, count: string): T {
  const number = Math.abs(Number(count));
  return all.slice(count.startsWith('+') ? Math.max(0, number - 1) : Math.max(0, all.length - number)) as T;
}

async function readAll(stdin: Process['stdin']): Promise<string> {
  let all = '';
  for (let text = await stdin.read(); text !== undefined; text = await stdin.read()) all += text;
  return all;
}

/** The basic programs that nearly every image contains. */
export const coreutils: Programs = {
  cat,
  date,
  echo,
  env,
  false: async () => 1,
  hostname,
  ls,
  mkdir,
  printenv,
  rm,
  sleep,
  tail,
  tar,
  test,
  '[': test,
  touch,
  true: async () => 0,
};
