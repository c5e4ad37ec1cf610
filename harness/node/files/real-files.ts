import { spawn } from 'node:child_process';
import * as fs from 'node:fs/promises';
import {
  FileError,
  type FileErrorCode,
  type FileInfo,
  type FileSystem,
  type MountPoint,
  type WriteOptions,
} from '../../contracts/node/index.ts';
import { said } from './namespace.ts';

/**
 * The files of the real machine, for a plugin that runs as a separate program.
 *
 * Differs: it supports no mounts (`EPERM`), and lists none.
 */
export class RealFiles implements FileSystem {
  async mkdirAll(path: string, mode = 0o755): Promise<void> {
    await attempt(`mkdir ${path}`, fs.mkdir(path, { recursive: true, mode }));
  }

  async writeFile(path: string, content: string | Uint8Array, options: WriteOptions = {}): Promise<void> {
    const { mode = 0o644, exclusive = false, append = false } = options;
    const flag = `${append ? 'a' : 'w'}${exclusive ? 'x' : ''}`;
    await attempt(`open ${path}`, fs.writeFile(path, content, { mode, flag }));
  }

  readFile(path: string): Promise<string> {
    return attempt(`open ${path}`, fs.readFile(path, 'utf8'));
  }

  readBytes(path: string): Promise<Uint8Array> {
    return attempt(`open ${path}`, fs.readFile(path));
  }

  async readdir(path: string): Promise<readonly string[]> {
    return (await attempt(`open ${path}`, fs.readdir(path))).sort();
  }

  symlink(target: string, path: string): Promise<void> {
    return attempt(`symlink ${target} ${path}`, fs.symlink(target, path));
  }

  link(existing: string, path: string): Promise<void> {
    return attempt(`link ${existing} ${path}`, fs.link(existing, path));
  }

  readlink(path: string): Promise<string> {
    return attempt(`readlink ${path}`, fs.readlink(path));
  }

  realpath(path: string): Promise<string> {
    return attempt(`lstat ${path}`, fs.realpath(path));
  }

  rename(from: string, to: string): Promise<void> {
    return attempt(`rename ${from} ${to}`, fs.rename(from, to));
  }

  removeAll(path: string): Promise<void> {
    return attempt(`unlinkat ${path}`, fs.rm(path, { recursive: true, force: true }));
  }

  async fsync(path: string): Promise<void> {
    await attempt(
      `fsync ${path}`,
      withOpen(path, 'r', (file) => file.sync()),
    );
  }

  /** Locks the open file with the program `flock`. The lock lasts until the file is closed. */
  async flock(path: string): Promise<() => Promise<void>> {
    const file = await attempt(`open ${path}`, fs.open(path, 'a', 0o600));
    const code = await new Promise((resolve) => {
      spawn('flock', ['--exclusive', '3'], { stdio: ['ignore', 'ignore', 'ignore', file.fd] })
        .on('error', resolve)
        .on('exit', resolve);
    });
    if (code !== 0) {
      await file.close();
      throw new FileError(
        'EIO',
        `flock ${path}: ${code instanceof Error ? code.message : `exit code ${code}`}`,
      );
    }
    return () => file.close();
  }

  stat(path: string): Promise<FileInfo | undefined> {
    return infoOf(`stat ${path}`, fs.stat(path));
  }

  lstat(path: string): Promise<FileInfo | undefined> {
    return infoOf(`lstat ${path}`, fs.lstat(path));
  }

  async mount(source: string, target: string): Promise<void> {
    throw new FileError('EPERM', `mount ${source} on ${target}: ${said.EPERM}`);
  }

  async unmount(target: string): Promise<void> {
    throw new FileError('EPERM', `unmount ${target}: ${said.EPERM}`);
  }

  async mounts(): Promise<readonly MountPoint[]> {
    return [];
  }

  async usage(path: string): Promise<number> {
    const info = await this.lstat(path);
    if (info?.type !== 'directory') return info?.type === 'file' ? info.sizeBytes : 0;
    const names = await this.readdir(path);
    const sizes = await Promise.all(names.map((name) => this.usage(`${path}/${name}`)));
    return sizes.reduce((sum, size) => sum + size, 0);
  }
}

async function withOpen(path: string, flags: string, act: (file: fs.FileHandle) => Promise<void>) {
  const file = await fs.open(path, flags);
  try {
    await act(file);
  } finally {
    await file.close();
  }
}

async function infoOf(call: string, stats: Promise<Awaited<ReturnType<typeof fs.stat>>>) {
  try {
    const found = await attempt(call, stats);
    const type = found.isDirectory() ? 'directory' : found.isSymbolicLink() ? 'symlink' : 'file';
    const info: FileInfo = { type, sizeBytes: Number(found.size), mode: Number(found.mode) & 0o777 };
    return type === 'directory' ? { ...info, sizeBytes: 0 } : info;
  } catch (error) {
    if (error instanceof FileError && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** @throws FileError for Node's errors */
async function attempt<T>(call: string, done: Promise<T>): Promise<T> {
  try {
    return await done;
  } catch (error) {
    const code = (error as { code?: string }).code as FileErrorCode;
    throw said[code] ? new FileError(code, `${call}: ${said[code]}`) : error;
  }
}
