import type {
  FileInfo,
  FileSystem,
  MountOptions,
  MountPoint,
  WriteOptions,
} from '../../contracts/node/index.ts';
import type { FileLocks } from './file-locks.ts';
import { attempt, bytesOf, type Files } from './files.ts';

/**
 * A callback that is awaited before each system call.
 *
 * @param call - its name: `open`, `write`, `link`
 * @param path - the path of the call
 */
export type Gate = (call: string, path: string) => Promise<void>;

/**
 * The files of a machine for one process. The process can crash between any two system calls, which releases its locks.
 * {@link writeFile} is two calls, `open` and `write`.
 */
export class ProcessFiles implements FileSystem {
  readonly #files: Files;
  readonly #locks: FileLocks;
  readonly #gate: Gate;

  constructor(
    { files, locks }: { readonly files: Files; readonly locks: FileLocks },
    gate: Gate = async () => {},
  ) {
    this.#files = files;
    this.#locks = locks;
    this.#gate = gate;
  }

  /** Releases the locks of the process, after a normal exit or a crash. */
  exit(): void {
    this.#locks.release(this);
  }

  async writeFile(path: string, content: string | Uint8Array, options: WriteOptions = {}): Promise<void> {
    const bytes = bytesOf(content);
    await this.#gate('open', path);
    const file = this.#files.open(path, options);
    if (bytes.length === 0) return;
    await this.#gate('write', path);
    attempt(`write ${path}`, () => file.disk.append(file, bytes));
  }

  async flock(path: string): Promise<() => Promise<void>> {
    await this.#gate('flock', path);
    const unlock = await this.#files.lockFor(this, path);
    return async () => {
      await this.#gate('unlock', path);
      await unlock();
    };
  }

  async mkdirAll(path: string, mode?: number): Promise<void> {
    await this.#gate('mkdir', path);
    return this.#files.mkdirAll(path, mode);
  }

  async readFile(path: string): Promise<string> {
    await this.#gate('read', path);
    return this.#files.readFile(path);
  }

  async readBytes(path: string): Promise<Uint8Array> {
    await this.#gate('read', path);
    return this.#files.readBytes(path);
  }

  async readdir(path: string): Promise<readonly string[]> {
    await this.#gate('readdir', path);
    return this.#files.readdir(path);
  }

  async symlink(target: string, path: string): Promise<void> {
    await this.#gate('symlink', path);
    return this.#files.symlink(target, path);
  }

  async link(existing: string, path: string): Promise<void> {
    await this.#gate('link', path);
    return this.#files.link(existing, path);
  }

  async readlink(path: string): Promise<string> {
    await this.#gate('readlink', path);
    return this.#files.readlink(path);
  }

  async realpath(path: string): Promise<string> {
    await this.#gate('realpath', path);
    return this.#files.realpath(path);
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#gate('rename', to);
    return this.#files.rename(from, to);
  }

  async removeAll(path: string): Promise<void> {
    await this.#gate('unlink', path);
    return this.#files.removeAll(path);
  }

  async fsync(path: string): Promise<void> {
    await this.#gate('fsync', path);
    return this.#files.fsync(path);
  }

  async stat(path: string): Promise<FileInfo | undefined> {
    await this.#gate('stat', path);
    return this.#files.stat(path);
  }

  async lstat(path: string): Promise<FileInfo | undefined> {
    await this.#gate('lstat', path);
    return this.#files.lstat(path);
  }

  async mount(source: string, target: string, options: MountOptions): Promise<void> {
    await this.#gate('mount', target);
    return this.#files.mount(source, target, options);
  }

  async unmount(target: string): Promise<void> {
    await this.#gate('umount', target);
    return this.#files.unmount(target);
  }

  async mounts(): Promise<readonly MountPoint[]> {
    await this.#gate('mounts', '');
    return this.#files.mounts();
  }

  async usage(path: string): Promise<number> {
    await this.#gate('usage', path);
    return this.#files.usage(path);
  }
}
