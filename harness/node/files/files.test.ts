import { describe, expect, test } from 'vitest';
import type { FileSystem } from '../../contracts/node/index.ts';
import { createMachineFiles, Disk } from './index.ts';

/** Reads a file, or returns the error message. */
const read = (files: FileSystem, path: string): Promise<string> =>
  files.readFile(path).catch((error: Error) => error.message);

/** Returns the error of a call. */
const refusal = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'did not fail',
    (error: { code: string; message: string }) => `${error.code} ${error.message}`,
  );

describe('Files', () => {
  test('store content in existing directories', async () => {
    const files = createMachineFiles();
    expect(await refusal(files.writeFile('/a/b', 'x'))).toBe('ENOENT open /a/b: no such file or directory');
    await files.mkdirAll('/a');
    await files.writeFile('/a/b', 'é');
    expect(await files.readFile('/a/b')).toBe('é');
    expect(await files.lstat('/a/b')).toEqual({ type: 'file', sizeBytes: 2, mode: 0o644 });
    expect(await refusal(files.mkdirAll('/a/b/c'))).toBe('ENOTDIR mkdir /a/b/c: not a directory');
  });

  test('store bytes unchanged', async () => {
    const files = createMachineFiles();
    const bytes = Uint8Array.of(0, 255, 1);
    await files.writeFile('/b', bytes);
    bytes[0] = 9;
    expect(await files.readBytes('/b')).toEqual(Uint8Array.of(0, 255, 1));
  });

  test('can append, and create a file exclusively', async () => {
    const files = createMachineFiles();
    await files.writeFile('/log', 'a', { exclusive: true });
    await files.writeFile('/log', 'b', { append: true });
    expect(await files.readFile('/log')).toBe('ab');
    expect(await refusal(files.writeFile('/log', 'c', { exclusive: true }))).toBe(
      'EEXIST open /log: file exists',
    );
  });

  test('resolve links, also relative and upward ones', async () => {
    const files = createMachineFiles();
    await files.mkdirAll('/v/..1');
    await files.writeFile('/v/..1/key', 'one');
    await files.symlink('..1', '/v/..data');
    await files.symlink('..data/key', '/v/key');
    await files.symlink('/v/../v/key', '/abs');
    expect(await files.readFile('/abs')).toBe('one');
    expect(await files.realpath('/abs')).toBe('/v/..1/key');
    expect(await files.readlink('/v/key')).toBe('..data/key');
    expect((await files.lstat('/v/key'))?.type).toBe('symlink');
    expect((await files.stat('/v/key'))?.type).toBe('file');
    await files.symlink('/loop', '/loop');
    expect(await refusal(files.readFile('/loop'))).toBe(
      'ELOOP open /loop: too many levels of symbolic links',
    );
  });

  test('replace a link atomically', async () => {
    const files = createMachineFiles();
    for (const version of ['1', '2']) {
      await files.mkdirAll(`/${version}`);
      await files.writeFile(`/${version}/key`, version);
    }
    await files.symlink('1', '/now');
    await files.symlink('2', '/now_tmp');
    await files.rename('/now_tmp', '/now');
    expect(await files.readFile('/now/key')).toBe('2');
    expect(await files.readdir('/')).toEqual(['1', '2', 'now']);
  });

  test('are not renamed over anything that would be lost', async () => {
    const files = createMachineFiles();
    await files.mkdirAll('/d/full');
    await files.mkdirAll('/empty');
    await files.writeFile('/f', '');
    expect(await refusal(files.rename('/empty', '/d'))).toMatch(/^ENOTEMPTY/);
    expect(await refusal(files.rename('/empty', '/f'))).toMatch(/^ENOTDIR/);
    expect(await refusal(files.rename('/f', '/empty'))).toMatch(/^EEXIST/);
    expect(await refusal(files.rename('/d', '/d/full/d'))).toMatch(/^EINVAL/);
    expect(await refusal(files.rename('/none', '/x'))).toMatch(/^ENOENT/);
    await files.rename('/d', '/empty');
    expect(await files.readdir('/empty')).toEqual(['full']);
  });

  test('remove a tree, and ignore a missing one', async () => {
    const files = createMachineFiles();
    await files.mkdirAll('/a/b');
    await files.writeFile('/a/b/c', 'x');
    await files.symlink('/a/b', '/link');
    await files.removeAll('/link');
    expect(await files.readFile('/a/b/c')).toBe('x');
    await files.removeAll('/a');
    await files.removeAll('/a');
    await files.removeAll('/a/b/c');
    expect(await files.lstat('/a')).toBeUndefined();
  });
});

describe('A mount', () => {
  test('covers a directory until it is removed', async () => {
    const files = createMachineFiles();
    await files.mkdirAll('/a');
    await files.mkdirAll('/b');
    await files.writeFile('/a/f', 'a');
    await files.writeFile('/b/f', 'b');
    await files.mount('/a', '/b', { type: 'bind' });
    expect(await files.readFile('/b/f')).toBe('a');
    await files.writeFile('/b/f', 'through');
    expect(await files.readFile('/a/f')).toBe('through');
    await files.unmount('/b');
    await files.unmount('/b');
    expect(await files.readFile('/b/f')).toBe('b');
  });

  test('is reported, and listed in order', async () => {
    const told: string[] = [];
    const files = createMachineFiles({ onMount: (event, path) => told.push(`${event} ${path}`) });
    await files.mkdirAll('/a');
    await files.symlink('/a', '/link');
    await files.mount('tmpfs', '/link', { type: 'tmpfs' });
    expect(await files.mounts()).toEqual([{ type: 'tmpfs', source: 'tmpfs', target: '/a' }]);
    await files.unmount('/link');
    expect([await files.mounts(), told]).toEqual([[], ['mounted /a', 'unmounted /a']]);
  });

  test('prevents removing or renaming its mount point and parents', async () => {
    const files = createMachineFiles();
    await files.mkdirAll('/pod/volume');
    await files.mkdirAll('/user');
    await files.writeFile('/user/data', 'precious');
    await files.mount('/user', '/pod/volume', { type: 'bind' });
    for (const path of ['/pod', '/pod/volume', '/pod/volume/']) {
      expect(await refusal(files.removeAll(path))).toBe(`EBUSY unlinkat ${path}: device or resource busy`);
    }
    expect(await refusal(files.rename('/pod', '/gone'))).toMatch(/^EBUSY/);
    expect(await files.readFile('/user/data')).toBe('precious');
    await files.unmount('/pod/volume');
    await files.removeAll('/pod');
    expect(await files.readFile('/user/data')).toBe('precious');
  });

  test('cannot be removed before mounts inside it', async () => {
    const files = createMachineFiles();
    await files.mkdirAll('/a');
    await files.mount('tmpfs', '/a', { type: 'tmpfs' });
    await files.mkdirAll('/a/b');
    await files.mount('tmpfs', '/a/b', { type: 'tmpfs' });
    expect(await refusal(files.unmount('/a'))).toBe('EBUSY unmount /a: device or resource busy');
    await files.unmount('/a/b');
    await files.unmount('/a');
    expect(await files.readdir('/a')).toEqual([]);
  });

  test('can show a single file, even after its replacement', async () => {
    const files = createMachineFiles();
    await files.writeFile('/old', 'old');
    await files.writeFile('/new', 'new');
    await files.writeFile('/target', '');
    await files.mount('/old', '/target', { type: 'bind' });
    await files.rename('/new', '/old');
    expect([await files.readFile('/target'), await files.readFile('/old')]).toEqual(['old', 'new']);
    await files.mkdirAll('/dir');
    expect(await refusal(files.mount('/old', '/dir', { type: 'bind' }))).toMatch(/^ENOTDIR/);
  });

  test('rejects writes if it is read-only', async () => {
    const files = createMachineFiles();
    await files.mkdirAll('/a');
    await files.mkdirAll('/b');
    await files.mount('/a', '/b', { type: 'bind', readonly: true });
    for (const call of [files.writeFile('/b/f', ''), files.mkdirAll('/b/d'), files.symlink('x', '/b/l')])
      expect(await refusal(call)).toMatch(/^EROFS .*: read-only file system$/);
    await files.writeFile('/a/f', 'a');
    expect(await refusal(files.removeAll('/b/f'))).toMatch(/^EROFS/);
    expect(await files.readFile('/b/f')).toBe('a');
  });

  test('of a device shows the same disk at each mount point', async () => {
    const files = createMachineFiles();
    files.attach('/dev/vdb', new Disk());
    await files.mkdirAll('/a');
    await files.mkdirAll('/b');
    await files.mount('/dev/vdb', '/a', { type: 'ext4' });
    await files.writeFile('/a/f', 'kept');
    await files.unmount('/a');
    await files.mount('/dev/vdb', '/b', { type: 'ext4' });
    expect(await files.readFile('/b/f')).toBe('kept');
    expect(await refusal(files.rename('/b/f', '/f'))).toMatch(/^EXDEV/);
    files.detach('/dev/vdb');
    expect(await refusal(files.mount('/dev/vdb', '/a', { type: 'ext4' }))).toMatch(/^ENOENT/);
  });
});

describe('A disk', () => {
  test('is full at its capacity, and regains removed space', async () => {
    const files = createMachineFiles({ capacityBytes: 4 });
    await files.writeFile('/a', 'abc');
    expect(await refusal(files.writeFile('/b', 'de'))).toBe('ENOSPC open /b: no space left on device');
    expect(await files.lstat('/b')).toBeUndefined();
    expect(await refusal(files.writeFile('/a', 'abcde'))).toMatch(/^ENOSPC/);
    await files.writeFile('/a', 'a');
    await files.writeFile('/b', 'de');
    await files.rename('/b', '/a');
    expect([files.disk.usedBytes, await files.usage('/')]).toEqual([2, 2]);
  });

  test('is full when no inode is left', async () => {
    const files = createMachineFiles({ inodes: 2 });
    await files.mkdirAll('/d');
    expect(await refusal(files.symlink('x', '/l'))).toMatch(/^ENOSPC/);
    await files.removeAll('/d');
    await files.symlink('x', '/l');
    expect(files.disk.usedInodes).toBe(2);
  });

  test('in memory has its own size, and does not count below a path', async () => {
    const files = createMachineFiles();
    await files.mkdirAll('/m');
    await files.mount('tmpfs', '/m', { type: 'tmpfs', sizeBytes: 2 });
    expect(await refusal(files.writeFile('/m/f', 'abc'))).toMatch(/^ENOSPC/);
    await files.writeFile('/m/f', 'ab');
    expect([await files.usage('/m'), await files.usage('/'), files.disk.usedBytes]).toEqual([2, 0, 0]);
  });

  test('keeps its files after a power failure, without memory disks and mounts', async () => {
    const files = createMachineFiles();
    await files.mkdirAll('/m');
    await files.writeFile('/f', 'kept');
    await files.mount('tmpfs', '/m', { type: 'tmpfs' });
    await files.writeFile('/m/f', 'lost');
    files.powerLoss();
    expect([await files.mounts(), await files.readdir('/m'), await files.readFile('/f')]).toEqual([
      [],
      [],
      'kept',
    ]);
  });
});

describe('A container', () => {
  const mount = (hostPath: string, containerPath: string, readonly = false) => ({
    hostPath,
    containerPath,
    readonly,
  });

  test('sees its mounts in its own tree', async () => {
    const files = createMachineFiles();
    await files.mkdirAll('/v');
    await files.writeFile('/v/f', 'a');
    const inside = files.view([mount('/v', '/etc/config'), mount('/v/f', '/one', true)]);
    expect(await inside.readFile('/etc/config/f')).toBe('a');
    await inside.writeFile('/etc/config/f', 'b');
    await inside.writeFile('/own', 'c');
    expect([await files.readFile('/v/f'), await inside.readFile('/one')]).toEqual(['b', 'b']);
    expect(await files.lstat('/own')).toBeUndefined();
    expect(await refusal(inside.writeFile('/one', 'x'))).toMatch(/^EROFS/);
    expect(files.disk.usedBytes).toBe(2);
    inside.remove();
    expect(files.disk.usedBytes).toBe(1);
  });

  test('cannot mount a path that does not exist', async () => {
    const files = createMachineFiles();
    expect(() => files.view([mount('/none', '/x')])).toThrow('stat /none: no such file or directory');
    expect(files.disk.usedInodes).toBe(1);
  });

  test('resolves links inside its own tree', async () => {
    const files = createMachineFiles();
    await files.mkdirAll('/v/1');
    await files.writeFile('/v/1/f', 'in');
    await files.writeFile('/secret', 'of the node');
    await files.symlink('1/f', '/v/f');
    await files.symlink('/secret', '/v/out');
    await files.symlink('../../secret', '/v/up');
    const inside = files.view([mount('/v', '/v')]);
    expect(await inside.readFile('/v/f')).toBe('in');
    for (const path of ['/v/out', '/v/up']) expect(await read(inside, path)).toMatch(/no such file/);
  });

  test('sees mounts below its mounts as of its start, even after the node removes them', async () => {
    const files = createMachineFiles();
    await files.mkdirAll('/v/sub');
    await files.mount('tmpfs', '/v/sub', { type: 'tmpfs', readonly: false });
    await files.writeFile('/v/sub/f', 'memory');
    const inside = files.view([mount('/v', '/data')]);
    await files.unmount('/v/sub');
    expect(await inside.readFile('/data/sub/f')).toBe('memory');
    expect(await files.readdir('/v/sub')).toEqual([]);
  });

  test('still sees a single file after the node has replaced it', async () => {
    const files = createMachineFiles();
    await files.writeFile('/f', 'old');
    const inside = files.view([mount('/f', '/f')]);
    await files.removeAll('/f');
    await files.writeFile('/f', 'new');
    expect([await inside.readFile('/f'), await files.readFile('/f')]).toEqual(['old', 'new']);
  });
});
