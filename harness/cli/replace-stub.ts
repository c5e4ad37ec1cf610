import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { writeWhole } from '../workbook/whole-file.ts';
import { Failure } from './failure.ts';
import type { Git } from './git.ts';

interface ReplaceStubOptions {
  /** The workbook's folder. */
  readonly root: string;
  readonly git: Git;
  /** The file, relative to the workbook. */
  readonly stub: string;
  /** The new text. */
  readonly text: string;
  /** A text that need not be saved: the stub before the learner wrote into it. */
  readonly pristine?: string | undefined;
  /** Verb and object of the command, for a {@link Failure}: `reset 24-deployment`. */
  readonly command: string;
}

/**
 * Replaces the text of a stub. Before that, saves its old bytes: in git's store or, without a repository, in a file
 * next to the stub.
 *
 * @returns the command that prints the old text, or the path of its copy; undefined if no text had to be saved
 * @throws Failure when the old text cannot be saved or the new one cannot be written: then the stub is unchanged
 */
export function replaceStub(options: ReplaceStubOptions): string | undefined {
  const { root, stub, text, command } = options;
  const file = path.join(root, stub);
  const bytes = existsSync(file) ? readFileSync(file) : undefined;
  const kept = bytes && !isPristine(bytes, options) ? keep(bytes, options) : undefined;
  try {
    writeWhole(file, text);
  } catch (error) {
    throw new Failure(command, (error as Error).message, `${stub} was not changed.`);
  }
  return kept;
}

function isPristine(bytes: Uint8Array, { pristine }: ReplaceStubOptions): boolean {
  return pristine !== undefined && Buffer.from(pristine).equals(bytes);
}

function keep(bytes: Uint8Array, { root, git, stub, command }: ReplaceStubOptions): string {
  const name = git.keep(bytes);
  if (name !== undefined) return `git cat-file -p ${name}`;
  const copy = `${stub}.before`;
  const file = path.join(root, copy);
  try {
    if (existsSync(file)) throw new Error('it exists');
    writeWhole(file, bytes);
    return copy;
  } catch (error) {
    const why = `your text can be saved neither in git nor in ${copy} (${(error as Error).message})`;
    throw new Failure(
      command,
      why,
      `${stub} was not changed. Copy it elsewhere, or free disk space, and try again.`,
    );
  }
}
