import { hasFlag } from './flags.ts';
import { forever } from './pause.ts';
import type { Process, Program, Programs } from './program.ts';
import { sleep } from './sleep.ts';

/** The arguments that are no flags. */
function operands({ argv }: Process): readonly string[] {
  return argv.slice(1).filter((arg) => !/^-./.test(arg));
}

/** Does something with each file, and says which could not be. Gives the exit code. */
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

/** The kernel's own words: `No such file or directory`. */
function reasonOf({ message }: Error): string {
  const reason = message.slice(message.lastIndexOf(': ') + 2);
  return reason.charAt(0).toUpperCase() + reason.slice(1);
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

const date: Program = async ({ clock, stdout, argv }) => {
  const now = clock.now();
  stdout(`${argv[1] === '+%s' ? Math.floor(now / 1_000) : new Date(now).toUTCString()}\n`);
  return 0;
};

const hostname: Program = async (process) => {
  process.stdout(`${process.hostname}\n`);
  return 0;
};

const ls: Program = (process) =>
  operands(process).length === 0
    ? process.exec(['ls', '/'])
    : eachFile(process, async (path) => {
        const found = await process.files.lstat(path);
        if (found && found.type !== 'directory') process.stdout(`${path}\n`);
        else for (const name of await process.files.readdir(path)) process.stdout(`${name}\n`);
      });

const touch: Program = (process) =>
  eachFile(process, (path) => process.files.writeFile(path, '', { append: true }));

const mkdir: Program = (process) => eachFile(process, (path) => process.files.mkdirAll(path));

const rm: Program = (process) => eachFile(process, (path) => process.files.removeAll(path));

/** With `-f` it never ends. Differs: it shows what is there when it starts, and nothing that comes later. */
const tail: Program = async (process) => {
  const follows = hasFlag(process.argv, '-f');
  const code = await eachFile(process, async (path) => {
    if (path === '/dev/null') return;
    const lines = (await process.files.readFile(path)).split('\n');
    process.stdout(lines.slice(-11).join('\n'));
  });
  return follows ? forever() : code;
};

/** The small programs that nearly every image has. */
export const coreutils: Programs = {
  cat,
  date,
  echo,
  env,
  false: async () => 1,
  hostname,
  ls,
  mkdir,
  rm,
  sleep,
  tail,
  touch,
  true: async () => 0,
};
