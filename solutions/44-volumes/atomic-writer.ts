import type { FileSystem } from '#harness';
import { namesIn } from './paths.ts';

/** The content of a file, and its mode. */
export interface FileProjection {
  readonly data: string | Uint8Array;
  readonly mode: number;
}

/** The files of a volume, by path. */
export type Payload = ReadonlyMap<string, FileProjection>;

const DATA = '..data';
const NEW_DATA = '..data_tmp';

/**
 * Writes files so that a reader sees either all of one version or all of another. The files go into a new directory,
 * and one rename then points the link `..data` at it. The visible names are links through `..data`. Writes nothing if
 * the content is unchanged.
 *
 * A previous write may have crashed at any step: its remains do not disturb later writes, and the next write deletes
 * them.
 *
 * Differs: upstream fails forever if a `..data_tmp` remains, and never deletes the directory of a crashed write.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/volume/util/atomic_writer.go AtomicWriter.Write
 *
 * @param now - the time for the name of the new directory, in ms
 */
export async function writeAtomically(
  files: FileSystem,
  dir: string,
  payload: Payload,
  now: number,
): Promise<void> {
  const names = await files.readdir(dir);
  const old = names.includes(DATA) ? await files.readlink(`${dir}/${DATA}`) : undefined;
  const current = old !== undefined && (await isSame(files, `${dir}/${old}`, payload)) ? old : undefined;
  const shown = current ?? (await writeVersion(files, { dir, payload, name: versionName(now, names) }));
  await linkNames(files, dir, payload, names);
  for (const name of names) {
    if (await isLeft(files, dir, name, { payload, shown })) await files.removeAll(`${dir}/${name}`);
  }
}

/**
 * Reports whether a name remains from an earlier version. A name that another program has created in the volume, such
 * as a mount point, does not.
 */
async function isLeft(
  files: FileSystem,
  dir: string,
  name: string,
  { payload, shown }: { readonly payload: Payload; readonly shown: string },
): Promise<boolean> {
  if (name.startsWith('..')) return name !== DATA && name !== shown;
  if ([...payload.keys()].some((path) => topOf(path) === name)) return false;
  return (await files.lstat(`${dir}/${name}`))?.type === 'symlink';
}

interface Version {
  readonly dir: string;
  readonly payload: Payload;
  readonly name: string;
}

async function writeVersion(files: FileSystem, { dir, payload, name }: Version): Promise<string> {
  const version = `${dir}/${name}`;
  await files.mkdirAll(version);
  for (const [path, { data, mode }] of payload) {
    const slash = path.lastIndexOf('/');
    if (slash > 0) await files.mkdirAll(`${version}/${path.slice(0, slash)}`);
    await files.writeFile(`${version}/${path}`, data, { mode });
  }
  await files.removeAll(`${dir}/${NEW_DATA}`);
  await files.symlink(name, `${dir}/${NEW_DATA}`);
  await files.rename(`${dir}/${NEW_DATA}`, `${dir}/${DATA}`);
  return name;
}

/** Creates a link through `..data` for the first path segment of each file. */
async function linkNames(
  files: FileSystem,
  dir: string,
  payload: Payload,
  names: readonly string[],
): Promise<void> {
  for (const top of new Set(Array.from(payload.keys(), topOf))) {
    if (!names.includes(top)) await files.symlink(`${DATA}/${top}`, `${dir}/${top}`);
  }
}

const topOf = (path: string): string => path.split('/', 1)[0] as string;

/** Reports whether a directory contains exactly the files and contents of the payload. */
async function isSame(files: FileSystem, dir: string, payload: Payload): Promise<boolean> {
  const there = new Set(await filesBelow(files, dir, ''));
  if (there.size !== payload.size) return false;
  for (const [path, { data }] of payload) {
    if (!there.has(path)) return false;
    const bytes = typeof data === 'string' ? encoder.encode(data) : data;
    if (!areEqual(await files.readBytes(`${dir}/${path}`), bytes)) return false;
  }
  return true;
}

async function filesBelow(files: FileSystem, dir: string, prefix: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of await namesIn(files, dir)) {
    const info = await files.lstat(`${dir}/${name}`);
    if (info?.type === 'directory')
      found.push(...(await filesBelow(files, `${dir}/${name}`, `${prefix}${name}/`)));
    else found.push(`${prefix}${name}`);
  }
  return found;
}

const encoder = new TextEncoder();

function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** Returns a unique name with the time and a number: `..2024_04_17_00_00_00.5`. */
function versionName(now: number, names: readonly string[]): string {
  const time = new Date(now).toISOString().slice(0, 19).replace(/[-T:]/g, '_');
  for (let number = 0; ; number++) {
    const name = `..${time}.${number}`;
    if (!names.includes(name)) return name;
  }
}
