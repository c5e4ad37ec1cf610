import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { listSources } from '../../workbook/sources.ts';
import { Screen } from '../screen.fixture.ts';
import { STUB } from '../workbook.fixture.ts';
import { doctor } from './command.mjs';
import { diagnose, isReady } from './diagnose.mjs';
import { answered, complaints, ended, MISSING, ReadyWorkbook } from './machine.fixture.ts';
import type { Machine } from './machine.ts';
import { thisMachine } from './this-machine.mjs';
import { satisfies } from './versions.mjs';

/** A set-up that breaks: its name, how it comes about, and the complaints of the doctor. */
type Broken = readonly [
  name: string,
  breaks: (workbook: ReadyWorkbook) => Partial<Machine>,
  complaint: RegExp,
];

const error = (code: string): Error => new Error(`${code}: the disk says no`);

const keepLearnersOut: readonly Broken[] = [
  [
    'an old Node',
    () => ({ nodeVersion: '18.20.4' }),
    /^Node problem: 18\.20\.4, but the workbook needs >=20\.19 → Install the LTS version/,
  ],
  [
    'a Node between two lines that the test runner supports',
    () => ({ nodeVersion: '21.7.3' }),
    /^Node problem: 21\.7\.3, but vite needs \^20\.19\.0 \|\| >=22\.12\.0 → Install/,
  ],
  [
    'no node_modules',
    (workbook) => {
      workbook.remove('node_modules');
      return {};
    },
    /^packages problem: not installed: node_modules does not exist → npm ci$/,
  ],
  [
    'an installation that was interrupted',
    (workbook) => {
      workbook.remove('node_modules/tsx');
      return {};
    },
    /^packages problem: 1 of 4 are missing: tsx → npm ci$/,
  ],
  [
    'another version of Vitest',
    (workbook) => {
      workbook.install('vitest', '3.2.4');
      return {};
    },
    /^packages problem: not the versions of package-lock\.json: vitest is 3\.2\.4 instead of 4\.1\.12 → npm ci$/,
  ],
  [
    'a node_modules of another platform',
    (workbook) => {
      workbook.remove('node_modules/@esbuild/linux-x64');
      workbook.install('@esbuild/darwin-arm64');
      return {};
    },
    /^binaries problem: node_modules comes from another machine: it has @esbuild\/darwin-arm64, and linux-x64 needs @esbuild\/linux-x64 → Delete the folder node_modules, then type: npm ci$/,
  ],
  [
    'a folder that cannot be written',
    (workbook) => {
      const files = {
        ...workbook.machine().files,
        makeFolder: () => {
          throw error('EROFS');
        },
      };
      return { files };
    },
    /^files problem: cannot write in .*: EROFS: the disk says no → Clone the workbook into a folder that you own/,
  ],
  [
    'a Vitest that does not start',
    () => ({
      run: async (program, args) =>
        program === process.execPath ? ended(1, 'SyntaxError: no\n') : answered(program, args),
    }),
    /^a test problem: Level 1 of 21-counter with the reference failed: SyntaxError: no → npm run kata -- run 21 --solutions --only "Level 1" shows/,
  ],
  [
    'a Vitest that hangs',
    () => ({
      run: async (program, args) =>
        program === process.execPath
          ? { status: null, missing: false, late: true, out: '' }
          : answered(program, args),
    }),
    /^a test problem: Level 1 of 21-counter with the reference did not end within 180 s → /,
  ],
];

const costLearnersAFeature: readonly Broken[] = [
  [
    'no git',
    () => ({ run: async (program, args) => (program === 'git' ? MISSING : answered(program, args)) }),
    /^git warning: not installed: npm run kata cannot restore a stub → Install git/,
  ],
  [
    'a download instead of a clone',
    () => ({
      run: async (program, args) =>
        program === 'git' && args[0] === 'ls-files'
          ? ended(128, 'fatal: not a git repository')
          : answered(program, args),
    }),
    /^git warning: 2\.50\.1, but this folder is not a clone: npm run kata cannot restore a stub → Get the workbook with git clone/,
  ],
  [
    'a clone that another user owns',
    () => ({
      run: async (program, args) =>
        program === 'git' && args[0] === 'ls-files'
          ? ended(128, 'fatal: detected dubious ownership in repository')
          : answered(program, args),
    }),
    /^git warning: .* another user owns it → git config --global --add safe\.directory "\/.*"$/,
  ],
  [
    'a stub that was deleted',
    (workbook) => {
      workbook.remove(STUB);
      return {};
    },
    /^stubs warning: deleted: katas\/21-counter\/counter\.ts → npm run kata -- reset 21$/,
  ],
  [
    'a watch that sees nothing',
    () => ({ watch: () => () => {} }),
    /^watching warning: a save in katas\/ was not noticed within 10 s → Move the workbook to a local disk/,
  ],
  [
    'a Linux without free watches',
    () => ({
      watch: () => {
        throw error('ENOSPC');
      },
    }),
    /^watching warning: files cannot be watched: ENOSPC: the disk says no → sudo sysctl fs\.inotify\.max_user_watches=524288/,
  ],
  [
    'a Linux with few watches',
    () => ({ watchesMax: 4_096 }),
    /^watching warning: works, but Linux allows only 4096 watches, .* → sudo sysctl/,
  ],
  [
    'a network drive',
    ({ root }) => ({ mounts: `/dev/sda1 / ext4 rw 0 0\nserver:/home ${root} nfs4 rw 0 0\n` }),
    /^files warning: the folder is on a network or shared drive \(nfs4\)/,
  ],
  [
    'little memory',
    () => ({ memory: { totalBytes: 2e9, freeBytes: 4e8 } }),
    /^memory warning: 4 cores, 400 of 2000 MB free; a run uses up to 800 MB and 2 cores → Close other programs/,
  ],
  [
    'a setting that points to another TypeScript',
    (workbook) => {
      workbook.write(
        '.vscode/settings.json',
        '{\n  // old\n  "typescript.tsdk": "/opt/typescript/lib",\n}\n',
      );
      return {};
    },
    /^editor warning: \.vscode\/settings\.json takes TypeScript from \/opt\/typescript\/lib instead of the workbook's 7\.0\.2 → Set it to/,
  ],
  [
    'a port that is taken',
    () => ({ listen: async (port) => (port === 0 ? undefined : 'EADDRINUSE') }),
    /^port warning: port 6443 is not free \(EADDRINUSE\), .* → Start the cluster without --port/,
  ],
  [
    'no kubectl',
    () => ({ run: async (program, args) => (program === 'kubectl' ? MISSING : answered(program, args)) }),
    /^kubectl warning: not installed: .* → Nothing to do: npm run kubectl -- get pods works without it\.$/,
  ],
  [
    'a narrow terminal',
    () => ({ terminal: { isTTY: true, columns: 60 } }),
    /^terminal warning: 60 columns, but failures are drawn for 80 → Make the window/,
  ],
  [
    'a terminal without UTF-8',
    () => ({ env: { LANG: 'C' } }),
    /^terminal warning: may not show ✓ and ·: the character set is C → export LANG=C\.UTF-8$/,
  ],
];

describe('The doctor', () => {
  test('finds nothing wrong with a machine that is ready', async () => {
    using workbook = new ReadyWorkbook();
    const findings = await diagnose(workbook.machine());
    expect(complaints(findings)).toEqual([]);
    expect(findings.map(({ name }) => name)).toContain('a test');
    expect(isReady(findings)).toBe(true);
  });

  test.each(keepLearnersOut)('rejects %s, with a remedy', async (_, breaks, complaint) => {
    using workbook = new ReadyWorkbook();
    const findings = await diagnose(workbook.machine(breaks(workbook)));
    expect(complaints(findings)).toContainEqual(expect.stringMatching(complaint));
    expect(isReady(findings)).toBe(false);
  });

  test.each(costLearnersAFeature)('warns of %s, and a learner can begin', async (_, breaks, complaint) => {
    using workbook = new ReadyWorkbook();
    const findings = await diagnose(workbook.machine(breaks(workbook)));
    expect(complaints(findings)).toEqual([expect.stringMatching(complaint)]);
    expect(isReady(findings)).toBe(true);
  });

  test('warns of folders of Windows in WSL, of synced folders, and of characters of a URL', async () => {
    using workbook = new ReadyWorkbook();
    const files = {
      ...workbook.machine().files,
      makeFolder: () => {},
      write: () => {},
      rename: () => {},
      read: () => 'kept',
    };
    const { checkFiles } = await import('./folder.mjs');
    const at = async (root: string, changes: Partial<Machine> = {}) =>
      (await checkFiles(workbook.machine({ root, files, ...changes }))).text;
    expect(await at('/mnt/c/katas', { kernel: '5.15.90.1-microsoft-standard-WSL2' })).toMatch(
      /^WSL reads this folder/,
    );
    expect(await at('/mnt/c/katas')).toMatch(/^can be written/);
    expect(await at('/srv/ada/OneDrive - Acme/katas', { mounts: '' })).toMatch(/^OneDrive syncs this folder/);
    expect(await at('/srv/ada/c#/katas')).toMatch(/^the path contains "#"/);
    expect(await at('/srv/ada/mes katas é')).toBe('can be written and renamed (ext4)');
  });

  test('leaves no file behind', async () => {
    using workbook = new ReadyWorkbook();
    await diagnose(workbook.machine({ watch: () => () => {} }));
    expect(readdirSync(path.join(workbook.root, 'katas'))).toEqual(['21-counter']);
  });

  test('prints a line for each check with its remedy, and a conclusion', async () => {
    using workbook = new ReadyWorkbook();
    workbook.remove('node_modules/tsx');
    const screen = new Screen();
    const machine = workbook.machine({ terminal: { isTTY: false, columns: undefined } });
    expect(await doctor(machine, [], screen)).toBe(1);
    expect(screen.out.slice(0, 3)).toEqual([
      '✓ Node      20.19.0',
      '✗ packages  1 of 4 are missing: tsx',
      '            → npm ci',
    ]);
    expect(screen.out.slice(-3)).toEqual([
      '! a test    not run, because of: packages',
      '            → Repair these first.',
      '\nThis machine is not ready: repair the line marked ✗, then type npm run doctor again.',
    ]);
  });

  test('prints its findings for a program with --json, and rejects other options', async () => {
    using workbook = new ReadyWorkbook();
    const screen = new Screen();
    expect(await doctor(workbook.machine(), ['--json'], screen)).toBe(0);
    expect(JSON.parse(screen.out.join('\n'))).toMatchObject({
      version: 1,
      ready: true,
      findings: expect.arrayContaining([{ name: 'Node', state: 'ok', text: '20.19.0' }]),
    });
    expect(await doctor(workbook.machine(), ['--jason'], screen)).toBe(1);
    expect(screen.err.join()).toMatch(/^Failed to understand --jason: the doctor takes only --json\./);
  });

  test('runs without any package, before npm ci', () => {
    using workbook = new ReadyWorkbook();
    workbook.remove('node_modules');
    const own = path.resolve(import.meta.dirname, '..');
    for (const place of ['doctor.mjs', 'doctor'])
      cpSync(path.join(own, place), path.join(workbook.root, 'harness/cli', place), { recursive: true });
    const { status, stdout } = spawnSync(process.execPath, ['harness/cli/doctor.mjs', '--json'], {
      cwd: workbook.root,
      encoding: 'utf8',
    });
    const { findings } = JSON.parse(stdout);
    expect(status).toBe(1);
    expect(complaints(findings)).toContain(
      'packages problem: not installed: node_modules does not exist → npm ci',
    );
  });

  test('notices a real save', async () => {
    using workbook = new ReadyWorkbook();
    const { watch, files, sleep } = thisMachine(workbook.root);
    let seen = false;
    const close = watch(path.join(workbook.root, 'katas/21-counter'), () => {
      seen = true;
    });
    for (let count = 0; !seen; count++) {
      files.write(path.join(workbook.root, STUB), `// ${count}`);
      await sleep(20);
    }
    close();
  });

  test('imports only modules of Node and its own files', () => {
    const own = listSources('harness/cli', '.mjs');
    expect(own.length).toBeGreaterThan(5);
    const foreign = own.flatMap(({ file, text }) =>
      [...text.matchAll(/\bfrom '([^']+)'/g)].flatMap(([, name = '']) =>
        name.startsWith('node:') ||
        name.endsWith('.mjs') ||
        name === './machine.ts' ||
        name === './doctor/machine.ts'
          ? []
          : [`${file} imports ${name}`],
      ),
    );
    expect(foreign).toEqual([]);
  });
});

test.each([
  ['20.19.0', '>=20.19', true],
  ['20.18.9', '>=20.19', false],
  ['22.11.0', '^20.19.0 || >=22.12.0', false],
  ['22.12.0', '^20.19.0 || >=22.12.0', true],
  ['v20.20.2', '^20.19.0', true],
  ['21.0.0', '^20.19.0', false],
  ['24.0.0-nightly', '>=24.0.0', true],
  ['20.19.0', 'anything', false],
])('%s satisfies %s: %s', (version, range, expected) => expect(satisfies(version, range)).toBe(expected));
