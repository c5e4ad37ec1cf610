import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesOfText, textOfBytes } from '../../../contracts/node/index.ts';
import { machineAlone } from '../../machine.fixture.ts';
import { blocksOf, endOf, type Member, membersOf } from './archive.ts';

const file = (name: string, text = '', mode = 0o644): Member => ({
  name,
  type: 'file',
  mode,
  mtime: 0,
  target: '',
  bytes: bytesOfText(text),
});

function archiveOf(...members: readonly Member[]): Uint8Array {
  const blocks = Buffer.concat(members.map(blocksOf));
  return Buffer.concat([blocks, endOf(blocks.length)]);
}

/** Starts a container, and returns functions that run commands in it. */
async function container(script = 'sleep 1000') {
  const { machine, shell, sim } = machineAlone();
  const { id } = await shell(script);
  await sim.run({ forMs: 1_000 });
  const run = async (command: readonly string[], typed: readonly Uint8Array[] = []) => {
    const said = { stdout: '', stderr: '' };
    const streams = {
      stdin: (async function* () {
        for (const piece of typed) yield textOfBytes(piece);
      })(),
      stdout(text: string) {
        said.stdout += text;
      },
      stderr(text: string) {
        said.stderr += text;
      },
      tty: false,
      signal: new AbortController().signal,
    };
    const code = await sim.settle(machine.streaming.exec(id, command, streams));
    return { code, ...said };
  };
  const sh = async (line: string): Promise<string> => (await run(['sh', '-c', line])).stdout;
  return { run, sh };
}

describe('An archive', () => {
  const arbitrary: fc.Arbitrary<Member> = fc
    .record({
      name: fc.oneof(fc.stringMatching(/^[a-z]{1,20}$/), fc.stringMatching(/^[a-zé/]{95,260}x$/)),
      mode: fc.nat(0o777),
      mtime: fc.nat(2 ** 32),
      bytes: fc.uint8Array({ maxLength: 1_100 }),
      target: fc.oneof(fc.constant('/etc/hosts'), fc.stringMatching(/^[a-z]{90,210}$/)),
      type: fc.constantFrom('file', 'directory', 'symlink', 'link'),
    })
    .map(({ name, type, bytes, target, ...rest }) => ({
      ...rest,
      type,
      name: type === 'directory' ? `${name}/` : name,
      bytes: type === 'file' ? bytes : new Uint8Array(),
      target: type === 'symlink' || type === 'link' ? target : '',
    }));

  test('returns its members unchanged', () => {
    fc.assert(
      fc.property(fc.array(arbitrary, { minLength: 1, maxLength: 5 }), (members) => {
        const archive = archiveOf(...members);
        expect(archive.length % 10_240).toBe(0);
        expect([...membersOf(archive)].map((each) => ({ ...each, bytes: [...each.bytes] }))).toEqual(
          members.map((each) => ({ ...each, bytes: [...each.bytes] })),
        );
      }),
    );
  });

  test('may describe a member in an extended header before it, as Go does', () => {
    const name = 'long/'.repeat(60);
    const records = [`path=${name}x`, 'linkpath=é'].map((record) => {
      const rest = ` ${record}\n`;
      const bytes = Buffer.byteLength(rest);
      return `${bytes + String(bytes + String(bytes).length).length}${rest}`;
    });
    const before = blocksOf(file('PaxHeaders.0/x', records.join('')));
    // A header of type `x`. The checksum grows by the difference of the digits.
    before[156] = 'x'.charCodeAt(0);
    const sum =
      Number.parseInt(textOfBytes(before.subarray(148, 154)), 8) + 'x'.charCodeAt(0) - '0'.charCodeAt(0);
    before.set(bytesOfText(sum.toString(8).padStart(6, '0')), 148);
    const archive = Buffer.concat([before, archiveOf(file('short', 'text'))]);
    expect([...membersOf(archive)]).toMatchObject([{ name: `${name}x`, target: 'é' }]);
  });

  test.each([
    ['', 'This does not look like a tar archive'],
    ['hello', 'This does not look like a tar archive'],
    ['x'.repeat(512), 'This does not look like a tar archive'],
  ])('is rejected if it is invalid: %j', (text, message) => {
    expect(() => [...membersOf(bytesOfText(text))]).toThrow(message);
  });

  test('is rejected if it is truncated', () => {
    const archive = archiveOf(file('a', 'x'.repeat(600)));
    expect(() => [...membersOf(archive.subarray(0, 1_024))]).toThrow('Unexpected EOF in archive');
  });
});

describe('tar', () => {
  test('archives files, directories and links, and removes the leading slash from their names', async () => {
    const { run, sh } = await container();
    await sh('mkdir /data/empty; echo -n one > /data/a; echo -n two > /data/b');
    const { code, stdout, stderr } = await run(['tar', 'cf', '-', '/data']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "tar: Removing leading `/' from member names\n" });
    const members = [...membersOf(bytesOfText(stdout))];
    expect(members.map(({ name, type, bytes }) => [name, type, textOfBytes(bytes)])).toEqual([
      ['data/', 'directory', ''],
      ['data/a', 'file', 'one'],
      ['data/b', 'file', 'two'],
      ['data/empty/', 'directory', ''],
    ]);
  });

  test('extracts an archive of kubectl byte by byte, in any chunks', async () => {
    const { run, sh } = await container();
    const bytes = Uint8Array.from({ length: 70_000 }, (_, at) => (at * 7_919) >> 3);
    const archive = archiveOf({ ...file('deep/er/data', '', 0o600), bytes });
    const pieces = Array.from({ length: Math.ceil(archive.length / 999) }, (_, at) =>
      archive.subarray(at * 999, (at + 1) * 999),
    );
    expect(await run(['tar', '-xmf', '-', '-C', '/tmp'], pieces)).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    expect(Buffer.from(bytesOfText(await sh('cat /tmp/deep/er/data')))).toEqual(Buffer.from(bytes));
  });

  test('extracts links, and replaces existing files', async () => {
    const { run, sh } = await container();
    await sh('echo old > /tmp/a');
    const link: Member = { ...file('b'), type: 'symlink', target: 'a' };
    const second: Member = { ...file('c'), type: 'link', target: 'a' };
    const archive = archiveOf(file('a', 'new'), link, second);
    expect(await run(['tar', 'xf', '-', '-C', '/tmp'], [archive])).toMatchObject({ code: 0, stderr: '' });
    expect(await sh('cat /tmp/b /tmp/c')).toBe('newnew');
    const again = bytesOfText((await run(['tar', 'cf', '-', '-C', '/tmp', 'b'])).stdout);
    expect([...membersOf(again)]).toMatchObject([{ name: 'b', type: 'symlink', target: 'a' }]);
  });

  test('continues after an error, and fails at the end', async () => {
    const { run, sh } = await container();
    await sh('echo -n x > /tmp/x; mkdir /tmp/d');
    const failed = 'tar: Exiting with failure status due to previous errors\n';
    const created = await run(['tar', 'cf', '-', 'none', 'tmp/x']);
    expect([...membersOf(bytesOfText(created.stdout))].map(({ name }) => name)).toEqual(['tmp/x']);
    expect(created).toMatchObject({
      code: 2,
      stderr: `tar: none: Cannot stat: No such file or directory\n${failed}`,
    });
    const archive = archiveOf(file('../x'), file('d'), file('x/y'), file('/tmp/abs'), file('etc/hostname'));
    expect(await run(['tar', 'xf', '-', '-C', '/tmp'], [archive])).toMatchObject({
      code: 2,
      stderr: [
        "tar: ../x: Member name contains '..'\n",
        'tar: d: Cannot open: File exists\n',
        'tar: x/y: Cannot open: Not a directory\n',
        "tar: Removing leading `/' from member names\n",
        failed,
      ].join(''),
    });
    expect(await run(['tar', 'xf', '-', 'etc'], [archive])).toMatchObject({
      code: 2,
      stderr: `tar: etc/hostname: Cannot open: File exists\n${failed}`,
    });
    expect(await run(['tar', 'tf', '-', 'none'], [archive])).toMatchObject({
      stdout: '',
      stderr: `tar: none: Not found in archive\n${failed}`,
    });
  });

  test.each([
    [['tar', 'xf', '-'], 'hello', 2, 'tar: This does not look like a tar archive\n'],
    [['tar', 'xf', '/none'], '', 2, 'tar: /none: Cannot open: No such file or directory\n'],
    [['tar', 'cf', '-', '-C', '/none', 'x'], '', 2, 'tar: /none: Cannot open: No such file or directory\n'],
    [['tar', 'cf', '-'], '', 2, 'tar: Cowardly refusing to create an empty archive\n'],
    [['tar'], '', 2, 'tar: You must specify one of'],
    [['tar', '-x', '--nonsense'], '', 64, "tar: unrecognized option '--nonsense'\n"],
    [['tar', '-xjf', '-'], '', 64, "tar: invalid option -- 'j'\n"],
    [['tar', '-xzf', '-'], 'hello', 2, '\ngzip: stdin: not in gzip format\ntar: Child returned status 1\n'],
    [['tar', '-xf'], '', 64, "tar: option requires an argument -- 'f'\n"],
  ])('reports the error of %j', async (command, typed, code, message) => {
    const { run } = await container();
    const ended = await run(command, [bytesOfText(typed)]);
    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain(message);
  });

  test('writes an archive to a file, lists it, and can ignore modes', async () => {
    const { run, sh } = await container();
    await sh('mkdir /data; echo x > /data/a');
    await run(['tar', '-c', '--file=/tmp/data.tar', '--directory', '/data', '.']);
    expect(await run(['tar', 'tf', '/tmp/data.tar'])).toEqual({ code: 0, stdout: './\n./a\n', stderr: '' });
    const open = [archiveOf(file('open', '', 0o666))];
    await run(['tar', '--no-same-permissions', '--no-same-owner', '-xmf', '-', '-C', '/data'], open);
    const again = bytesOfText((await run(['tar', 'cf', '-', '-C', '/data', 'open'])).stdout);
    expect([...membersOf(again)]).toMatchObject([{ mode: 0o644 }]);
  });

  test('compresses and decompresses with gzip', async () => {
    const { run, sh } = await container();
    await sh('mkdir /data; echo x > /data/a');
    const plain = bytesOfText((await run(['tar', 'cf', '-', '-C', '/data', 'a'])).stdout);
    const packed = bytesOfText((await run(['tar', 'zcf', '-', '-C', '/data', 'a'])).stdout);
    expect(gunzipSync(packed)).toEqual(Buffer.from(plain));
    expect(await run(['tar', 'xzf', '-', '-C', '/tmp'], [packed])).toMatchObject({ code: 0, stderr: '' });
    expect(await sh('cat /tmp/a')).toBe('x\n');
    expect((await run(['tar', 'tf', '-'], [packed])).stderr).toContain(
      'tar: Archive is compressed. Use -z option\n',
    );
    await run(['tar', '--gzip', '-cf', '/tmp/a.tgz', '-C', '/data', 'a']);
    expect((await run(['tar', 'tf', '/tmp/a.tgz'])).stdout).toBe('a\n');
  });

  test('can be resumed at any byte, as kubectl does when it retries', async () => {
    const { run, sh } = await container();
    await sh('echo x > /tmp/x');
    const whole = await sh('tar cf - /tmp/x');
    expect(await sh("tar cf - '/tmp/x' | tail -c+0")).toBe(whole);
    expect(await sh("tar cf - '/tmp/x' | tail -c+513")).toBe(whole.slice(512));
    expect((await run(['test', '-d', '/tmp'])).code).toBe(0);
    expect((await run(['test', '-d', '/tmp/x'])).code).toBe(1);
  });
});
