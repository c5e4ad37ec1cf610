import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Failure, type Terminal } from './failure.ts';
import { Git } from './git.ts';

/** The operating system and processor of a participant's machine, in npm's words. */
export interface Platform {
  readonly os: 'darwin' | 'linux' | 'win32';
  readonly cpu: 'arm64' | 'x64';
}

/** Every platform whose packages a prepared folder holds. Linux means glibc, as on Debian, Ubuntu, Fedora and WSL. */
export const PLATFORMS: readonly Platform[] = (['darwin', 'linux', 'win32'] as const).flatMap((os) =>
  (['arm64', 'x64'] as const).map((cpu) => ({ os, cpu })),
);

/** Runs a program, and returns the text of its errors; undefined if it succeeded. */
export type RunProgram = (bin: string, words: readonly string[], cwd: string) => string | undefined;

interface OfflineOptions {
  /** The workbook's folder. */
  readonly root: string;
  /** The folder to write, absolute; it must not exist, or be empty. */
  readonly folder: string;
  readonly terminal: Pick<Terminal, 'print'>;
  /** @defaultValue runs it as a child process */
  readonly run?: RunProgram;
}

/**
 * Writes a folder for installations without a network: the workbook's history as a git bundle, and the packages of every
 * platform as an npm cache. The folder can be on a USB stick or a share.
 *
 * @returns the lines to print
 * @throws Failure when the folder is not empty or git or npm fails. Then an incomplete folder is removed
 */
export function writeOfflineFolder({
  root,
  folder,
  terminal,
  run = child,
}: OfflineOptions): readonly string[] {
  const what = `prepare ${folder}`;
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Failure(what, 'it is not empty', 'Name a new folder.');
  const work = mkdtempSync(path.join(tmpdir(), 'katas-'));
  const must = (bin: string, words: readonly string[], cwd: string, next: string): void => {
    const why = run(bin, words, cwd);
    if (why === undefined) return;
    rmSync(folder, { recursive: true, force: true });
    throw new Failure(what, `${bin} ${words[0]} failed: ${why.trim()}`, next);
  };
  try {
    mkdirSync(folder, { recursive: true });
    const bundle = path.join(folder, 'workbook.bundle');
    const branch = new Git(root).branch();
    const refs = ['HEAD', ...(branch === undefined ? [] : [branch])];
    must('git', ['bundle', 'create', '--quiet', bundle, ...refs], root, 'Is this a clone with a commit?');
    for (const name of ['package.json', 'package-lock.json'])
      cpSync(path.join(root, name), path.join(work, name));
    for (const { os, cpu } of PLATFORMS) {
      terminal.print(`The packages for ${os} on ${cpu} …`);
      const words = [
        'ci',
        '--ignore-scripts',
        '--no-audit',
        '--no-fund',
        '--cache',
        path.join(folder, CACHE),
      ];
      const target = [`--os=${os}`, `--cpu=${cpu}`, '--libc=glibc'];
      must('npm', [...words, ...target], work, 'Does npm ci work here?');
    }
    writeFileSync(path.join(folder, 'INSTALL.txt'), INSTALL);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return [`${folder} is complete. Copy it to each machine; INSTALL.txt in it has the commands.`];
}

const CACHE = 'npm-cache';

/** The same commands work in sh, cmd.exe and PowerShell. */
const INSTALL = `Install the workbook without a network
======================================

You need Node.js 20.19 or newer, and git. In this folder, type:

  git clone workbook.bundle workbook
  cd workbook
  npm ci --offline --cache ../${CACHE}
  npm run doctor

The last command shows whether your machine is ready.
`;

function child(bin: string, words: readonly string[], cwd: string): string | undefined {
  // On Windows npm is a script, which only a shell starts.
  const shell = process.platform === 'win32' && bin === 'npm';
  const { status, stderr, error } = spawnSync(bin, shell ? words.map((word) => `"${word}"`) : words, {
    cwd,
    encoding: 'utf8',
    shell,
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error) return error.message;
  return status === 0 ? undefined : stderr.split('\n').slice(0, 3).join(' ');
}
