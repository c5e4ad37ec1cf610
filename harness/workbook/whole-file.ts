import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

/** The content of a file. Pieces are written one after the other, so that no text has to hold all of it. */
type Content = string | Uint8Array | Iterable<string>;

interface WriteOptions {
  /** The permissions of a new file; an existing file keeps its own. @defaultValue those of the process */
  readonly mode?: number;
}

/**
 * Writes a file whole or not at all. If the write fails or the process dies, the file keeps its earlier content.
 * Creates missing folders. If the file is a link, replaces its target.
 *
 * @throws Error of the file system when the file cannot be written
 */
export function writeWhole(file: string, content: Content, options: WriteOptions = {}): void {
  const draft = begin(file, options);
  try {
    const pieces = typeof content === 'string' || content instanceof Uint8Array ? [content] : content;
    for (const piece of pieces) writeFileSync(draft.handle, piece);
    // Without it, the new name can survive a power failure that the content does not survive.
    if (draft.target) fsyncSync(draft.handle);
    closeSync(draft.handle);
    if (draft.target) renameSync(draft.name, draft.target);
  } catch (error) {
    discard(draft);
    throw error;
  }
}

/**
 * Checks that {@link writeWhole} can begin to write this file, and creates its folder.
 *
 * @throws Error of the file system when it cannot
 */
export function mustBeWritable(file: string): void {
  discard(begin(file, {}));
}

/** A new content that is being written. */
interface Draft {
  readonly name: string;
  readonly handle: number;
  /** The file that the draft replaces; undefined for a device or a pipe, which is written directly. */
  readonly target?: string;
}

function begin(file: string, { mode }: WriteOptions): Draft {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found && !found.isFile()) return { name: file, handle: openSync(file, 'w') };
  const target = found ? realpathSync(file) : file;
  // A rename would replace a file even if it is read-only.
  if (found) accessSync(target, constants.W_OK);
  else mkdirSync(path.dirname(target), { recursive: true });
  const name = `${target}.${process.pid}.new`;
  const handle = openSync(name, 'w', mode);
  if (found) fchmodSync(handle, found.mode);
  return { name, handle, target };
}

function discard({ name, handle, target }: Draft): void {
  try {
    closeSync(handle);
  } catch {
    // It is closed already.
  }
  if (target) rmSync(name, { force: true });
}
