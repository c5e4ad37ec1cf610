import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { SmallWorkbook } from '../workbook.fixture.ts';
import type { Finding, Machine, Run } from './machine.ts';

/** A small workbook whose packages are installed, on a machine that is ready for it. */
export class ReadyWorkbook extends SmallWorkbook {
  constructor() {
    super();
    this.write('package.json', JSON.stringify({ engines: { node: '>=20.19' } }));
    this.write('package-lock.json', JSON.stringify({ packages: LOCKED }));
    for (const name of ['vite', 'vitest', 'tsx', 'typescript', '@esbuild/linux-x64']) this.install(name);
    this.write('solutions/21-counter/counter.ts', '');
  }

  /** Installs a package, in the version of package-lock.json or another one. */
  install(name: string, version: string = LOCKED[`node_modules/${name}`]?.version ?? ''): void {
    this.write(`node_modules/${name}/package.json`, JSON.stringify({ name, version }));
  }

  /** Returns a machine with this workbook. A few abilities can differ. */
  machine(changes: Partial<Machine> = {}): Machine {
    let nowMs = 0;
    let changed = (): void => {};
    return {
      root: this.root,
      nodeVersion: '20.19.0',
      platform: 'linux',
      arch: 'x64',
      libc: 'glibc',
      kernel: '6.1.0',
      env: { LANG: 'C.UTF-8' },
      cores: 4,
      memory: { totalBytes: 16e9, freeBytes: 8e9 },
      mounts: '/dev/sda1 / ext4 rw 0 0\n',
      watchesMax: 524_288,
      terminal: { isTTY: true, columns: 100 },
      files: {
        makeFolder: (folder) => void mkdirSync(folder, { recursive: true }),
        write: (file, text) => {
          writeFileSync(file, text);
          changed();
        },
        read: (file) => readFileSync(file, 'utf8'),
        rename: renameSync,
        remove: (place) => rmSync(place, { recursive: true, force: true }),
      },
      run: async (program, args) => answered(program, args),
      watch: (_, onChange) => {
        changed = onChange;
        return () => {
          changed = () => {};
        };
      },
      sleep: async (ms) => {
        nowMs += ms;
      },
      listen: async () => undefined,
      nowMs: () => nowMs,
      ...changes,
    };
  }
}

/** The end of a program that a machine has not. */
export const MISSING: Run = { status: null, missing: true, late: false, out: '' };

/** The end of a program that printed this text. */
export function ended(status: number, out: string): Run {
  return { status, missing: false, late: false, out };
}

/** The answers of the programs of a machine that is ready. */
export function answered(program: string, args: readonly string[]): Run {
  if (program === 'git')
    return ended(0, args[0] === '--version' ? 'git version 2.50.1' : 'katas/21-counter/counter.ts');
  if (program === 'kubectl') return ended(0, '{ "clientVersion": { "gitVersion": "v1.36.3" } }');
  return ended(0, '\n5 passed, 0 failed\n');
}

/** Renders findings other than "ok": `packages problem: … → npm ci`. */
export function complaints(findings: readonly Finding[]): readonly string[] {
  return findings
    .filter(({ state }) => state !== 'ok')
    .map(({ name, state, text, remedy }) => `${name} ${state}: ${text} → ${remedy}`);
}

const native = (os: string, cpu: string) => ({ version: '0.28.2', optional: true, os: [os], cpu: [cpu] });

const LOCKED: Readonly<Record<string, { readonly version: string }>> = {
  'node_modules/vitest': { version: '4.1.12' },
  'node_modules/vite': { version: '8.3.8', engines: { node: '^20.19.0 || >=22.12.0' } } as {
    version: string;
  },
  'node_modules/tsx': { version: '4.23.15' },
  'node_modules/typescript': { version: '7.0.2' },
  'node_modules/@esbuild/linux-x64': native('linux', 'x64'),
  'node_modules/@esbuild/darwin-arm64': native('darwin', 'arm64'),
};
