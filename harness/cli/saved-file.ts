import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { KubeObject } from '../api/objects.ts';
import type { Storage } from '../apiserver/storage/storage.ts';
import { readSavedState, type StoredObject, savedState } from '../cluster/saved-state.ts';
import { ClusterPki, type SavedPki } from '../serving/cluster-pki.ts';
import { pkiSecret, splitPki } from '../serving/saved-pki.ts';
import { mustBeWritable, writeWhole } from '../workbook/whole-file.ts';
import { Failure, type Terminal } from './failure.ts';
import type { Stops } from './stops.ts';

/** A file that the user has named. */
export interface NamedFile {
  /** The absolute path. */
  readonly file: string;
  /** The name as typed, for messages. */
  readonly name: string;
}

/** A cluster as a file holds it. */
interface Loaded {
  readonly objects: readonly StoredObject[];
  /** The keys of the cluster; new ones if the file has none, or if its authority has expired. */
  readonly pki: ClusterPki;
}

/**
 * Loads the objects of a cluster and its keys.
 *
 * @param nowMs in ms since 1970
 * @throws Failure when the file does not hold a saved state
 */
export async function loadFrom({ file, name }: NamedFile, nowMs: number): Promise<Loaded> {
  const next = 'Name a file that npm run cluster -- --save FILE wrote.';
  try {
    const { objects, pki } = splitPki(readSavedState(await readFile(file)));
    return { objects, pki: pki ? ClusterPki.of(pki, nowMs) : ClusterPki.create(nowMs) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Failure(`load ${name}`, code === 'ENOENT' ? 'the file does not exist' : message, next);
  }
}

/** Checks that a cluster can be saved to this file, before it has a state. @throws Failure */
export function mustBeSaveable({ file, name }: NamedFile): void {
  try {
    mustBeWritable(file);
  } catch (error) {
    throw new Failure(`save to ${name}`, (error as Error).message, 'Name a file that you can write.');
  }
}

interface SaveOptions {
  readonly storage: Storage;
  readonly pki: SavedPki;
  readonly stops: Stops;
  readonly terminal: Terminal;
}

/**
 * Saves the state of a cluster and its keys. If the file cannot be written, saves it to a temporary file. If that is impossible, too,
 * asks the user for space, and tries again at the next request to stop.
 *
 * @returns the failure that names the temporary file; undefined if the state is in the file that the user named
 */
export async function saveTo(
  { file, name }: NamedFile,
  { storage, pki, stops, terminal }: SaveOptions,
): Promise<Failure | undefined> {
  const keys = [pkiSecret(pki)];
  for (;;) {
    const why = write(file, storage, keys);
    if (why === undefined) {
      terminal.print(`Saved to ${name}.`);
      return undefined;
    }
    const instead = path.join(tmpdir(), `cluster-${process.pid}.json`);
    const whyNeither = write(instead, storage, keys);
    const what = `save to ${name}`;
    if (whyNeither === undefined) return new Failure(what, why, `Saved to ${instead} instead.`);
    const next = `Free disk space and press Ctrl-C to try again. (kill -9 ${process.pid} gives the state up.)`;
    terminal.complain(new Failure(what, `${why}; and to ${instead}: ${whyNeither}`, next).message);
    await stops.next();
  }
}

/** @returns why the state cannot be written; undefined if it has been */
function write(file: string, storage: Storage, keys: readonly KubeObject[]): string | undefined {
  try {
    writeWhole(file, savedState(storage, keys), { mode: 0o600 });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
