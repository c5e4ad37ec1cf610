import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Failure } from './failure.ts';
import { type ManifestObject, readManifest } from './manifest.ts';

/** The manifest if none is named. */
export const DEFAULT_MANIFEST = 'docs/web.yaml';

/** A manifest, and its name for readers. */
interface ManifestFile {
  readonly name: string;
  readonly objects: readonly ManifestObject[];
}

/**
 * Reads a manifest: the named file, or the workbook's own.
 *
 * @param named a path relative to `cwd`
 * @throws Failure when the file cannot be read, or is not a manifest
 */
export async function readManifestFile(
  named: string | undefined,
  { root, cwd }: { readonly root: string; readonly cwd: string },
): Promise<ManifestFile> {
  const file = named === undefined ? path.join(root, DEFAULT_MANIFEST) : path.resolve(cwd, named);
  const name = named ?? DEFAULT_MANIFEST;
  return { name, objects: readManifest(await bytesOf(file, name), name) };
}

async function bytesOf(file: string, name: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    const { why, next } = UNREADABLE[code] ?? { why: code, next: 'Name another file.' };
    throw new Failure(`read ${name}`, why, next);
  }
}

const UNREADABLE: Readonly<Record<string, { readonly why: string; readonly next: string }>> = {
  ENOENT: {
    why: 'the file does not exist',
    next: `Name a manifest that exists, or no manifest to apply ${DEFAULT_MANIFEST}.`,
  },
  EISDIR: { why: 'it is a folder', next: 'Name one file in it.' },
  EACCES: {
    why: 'you do not have permission to read it',
    next: 'Change its permissions, or name another file.',
  },
};
