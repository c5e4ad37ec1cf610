/** The functions of the short way, as a first draft: it removes the file of an address only if a later write fails. */
import { type FileSystem, type IP, parseIP } from '#harness';
import { type Owner, textOf } from './ipam.ts';

export class Store {
  readonly #files: FileSystem;
  readonly #directory: string;

  constructor(files: FileSystem, directory: string) {
    this.#files = files;
    this.#directory = directory;
  }

  async withLock<T>(act: () => Promise<T>): Promise<T> {
    await this.#files.mkdirAll(this.#directory);
    const unlock = await this.#files.flock(this.#path('lock'));
    try {
      return await act();
    } finally {
      await unlock();
    }
  }

  async reserve(ip: IP, owner: Owner, set: number): Promise<boolean> {
    if (await this.isReserved(ip)) return false;
    const path = this.#path(ip.text);
    await this.#files.writeFile(path, textOf(owner), { mode: 0o600 });
    try {
      await this.#files.writeFile(this.#path(`${LAST}${set}`), ip.text, { mode: 0o600 });
    } catch (error) {
      await this.#files.removeAll(path);
      throw error;
    }
    return true;
  }

  async isReserved(ip: IP): Promise<boolean> {
    // An empty file has no owner: host-local crashed there.
    return ((await this.#files.lstat(this.#path(ip.text)))?.sizeBytes ?? 0) > 0;
  }

  async lastReserved(set: number): Promise<IP | undefined> {
    const path = this.#path(`${LAST}${set}`);
    // If the file is missing, or truncated by a crash, the round robin starts over.
    return (await this.#files.stat(path)) && readIP(await this.#files.readFile(path));
  }

  async addressesOf(owner: Owner): Promise<readonly IP[]> {
    const names = await this.#namesWhere((text) => text === textOf(owner));
    return names.flatMap((name) => readIP(name) ?? []);
  }

  async release(owner: Owner, kept: readonly IP[] = []): Promise<void> {
    const names = new Set(kept.map(({ text }) => text));
    await this.#removeWhere((text, name) => text === textOf(owner) && !names.has(name));
  }

  /** Releases all addresses except those of these owners, including addresses without an owner, and drafts. */
  async releaseAllBut(owners: readonly Owner[]): Promise<void> {
    const valid = new Set(owners.map(textOf));
    await this.#removeWhere((text, name) => name === DRAFT || !valid.has(text));
  }

  async #removeWhere(matches: (text: string, name: string) => boolean): Promise<void> {
    for (const name of await this.#namesWhere(matches)) await this.#files.removeAll(this.#path(name));
  }

  async #namesWhere(matches: (text: string, name: string) => boolean): Promise<readonly string[]> {
    const found: string[] = [];
    for (const name of await this.#files.readdir(this.#directory)) {
      if (name === 'lock' || name.startsWith(LAST)) continue;
      if (matches((await this.#files.readFile(this.#path(name))).trim(), name)) found.push(name);
    }
    return found;
  }

  #path(name: string): string {
    return `${this.#directory}/${name}`;
  }
}

const LAST = 'last_reserved_ip.';
const DRAFT = 'draft';

/** Parses an address; undefined if the text is not an address. */
function readIP(text: string): IP | undefined {
  try {
    return parseIP(text);
  } catch {
    return undefined;
  }
}
