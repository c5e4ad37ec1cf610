import { spawnSync } from 'node:child_process';
import { todosIn } from '../workbook/stub.ts';

/** Git's view of a workbook's files. Paths are relative to the workbook, with forward slashes. */
export class Git {
  readonly #root: string;

  /** @param root the workbook's folder */
  constructor(root: string) {
    this.#root = root;
  }

  /**
   * Returns each stub as it was before the learner wrote into it: the newest of the versions with the most `todo`
   * calls, within its newest edition. So a learner can commit their work and still go back. A version belongs to an
   * earlier edition if it lacks a `todo` of a newer version, or has one that the kata no longer has. Files that never
   * were a stub are absent, as are all files without a repository.
   *
   * @param has whether the kata still has this symbol. @defaultValue it has every symbol
   */
  pristine(
    files: readonly string[],
    has: (file: string, symbol: string) => boolean = () => true,
  ): ReadonlyMap<string, string> {
    const versions = files.length === 0 ? [] : this.#versions(files);
    return new Map(
      files.flatMap((file) => {
        const own = versions.filter((version) => version.file === file);
        let best: { readonly text: string; readonly left: ReadonlySet<string> } | undefined;
        for (const { text } of own) {
          const todos = todosIn(text);
          if (best && !todos.every(({ symbol }) => has(file, symbol))) break;
          const left = new Set(todos.map(({ symbol, heading }) => `${symbol} ${heading}`));
          if (best && ![...best.left].every((todo) => left.has(todo))) break;
          if (left.size > (best?.left.size ?? 0)) best = { text, left };
        }
        return best ? [[file, best.text] as const] : [];
      }),
    );
  }

  /** Returns the text of the file in the last commit; undefined if the commit does not have it. */
  committed(file: string): string | undefined {
    return this.#run(['cat-file', 'blob', `HEAD:./${file}`]);
  }

  /** Returns the name of the current branch; undefined if HEAD is detached. */
  branch(): string | undefined {
    return this.#run(['symbolic-ref', '--quiet', '--short', 'HEAD'])?.trim();
  }

  /** Returns whether the file has uncommitted changes. */
  isDirty(file: string): boolean {
    return this.#run(['status', '--porcelain', '--', file])?.trim() !== '';
  }

  /** Returns whether git tracks this file, or a file in this folder. */
  isTracked(place: string): boolean {
    return (this.#run(['ls-files', '--', place]) ?? '') !== '';
  }

  /**
   * Puts a file's content into git's store, apart from any branch.
   *
   * @returns the object name for `git cat-file -p`; undefined when git could not store the content
   */
  keep(content: Uint8Array): string | undefined {
    return this.#run(['hash-object', '-w', '--stdin'], content)?.trim().slice(0, 12) || undefined;
  }

  /** Every committed version, newest first. */
  #versions(files: readonly string[]): readonly { readonly file: string; readonly text: string }[] {
    const log = this.#run([
      'log',
      '--relative',
      '--no-renames',
      '--name-only',
      '--format=commit %H',
      '--',
      ...files,
    ]);
    let commit = '';
    const found: { readonly file: string; readonly object: string }[] = [];
    for (const line of (log ?? '').split('\n')) {
      if (line.startsWith('commit ')) commit = line.slice('commit '.length);
      else if (files.includes(line)) found.push({ file: line, object: `${commit}:./${line}` });
    }
    const texts = this.#show(found.map(({ object }) => object));
    return found.flatMap(({ file }, index) => {
      const text = texts[index];
      return text === undefined ? [] : [{ file, text }];
    });
  }

  /**
   * Returns the texts of objects, in order; undefined for files that a commit deleted. One process reads all of them.
   */
  #show(objects: readonly string[]): readonly (string | undefined)[] {
    if (objects.length === 0) return [];
    const output = Buffer.from(this.#run(['cat-file', '--batch'], `${objects.join('\n')}\n`) ?? '');
    let at = 0;
    return objects.map(() => {
      const end = output.indexOf('\n', at);
      const header = output.toString('utf8', at, end < 0 ? output.length : end);
      at = end < 0 ? output.length : end + 1;
      const [, bytes] = / blob (\d+)$/.exec(header) ?? [];
      if (bytes === undefined) return undefined;
      const start = at;
      at += Number(bytes) + 1;
      return output.toString('utf8', start, start + Number(bytes));
    });
  }

  /** Returns git's output; undefined if git fails or is not installed. */
  #run(args: readonly string[], input?: string | Uint8Array): string | undefined {
    const { status, stdout } = spawnSync('git', args, {
      cwd: this.#root,
      encoding: 'utf8',
      env: ofNoRepository(process.env),
      maxBuffer: 64 * 1024 * 1024,
      ...(input === undefined ? {} : { input }),
    });
    return status === 0 ? stdout : undefined;
  }
}

/**
 * Removes the variables by which a hook points git at its own repository. Then git uses the repository of its working
 * directory.
 */
export function ofNoRepository(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^GIT_(DIR|WORK_TREE|INDEX_FILE)$/.test(name)),
  );
}
