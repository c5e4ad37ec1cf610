import { spawnSync } from 'node:child_process';
import { todosIn } from './stub.ts';

/** What git knows of a workbook's files. Paths are relative to the workbook, with forward slashes. */
export class Git {
  readonly #root: string;

  /** `root`: the workbook's folder. */
  constructor(root: string) {
    this.#root = root;
  }

  /**
   * What each stub was before the learner wrote into it: of the versions of its newest edition, the newest of those with most left
   * to write. So a learner may commit their work and still go back. A version that lacks something of what a newer one leaves to
   * write is of an earlier edition, and so is one that leaves to write what the kata does not have any more. Without a repository,
   * and for a file that never was a stub, there is none.
   *
   * @param has whether the kata still has what a version leaves to write; by default it has all
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

  /** The text of the file in the last commit; absent when it has none. */
  committed(file: string): string | undefined {
    return this.#run(['cat-file', 'blob', `HEAD:./${file}`]);
  }

  /** Is there anything in the file that no commit has? */
  isDirty(file: string): boolean {
    return this.#run(['status', '--porcelain', '--', file])?.trim() !== '';
  }

  /** Does git track this file, or a file in this folder? */
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

  /** The texts of objects, in order; none for those that a commit deleted. One process for all of them. */
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

  /** What git prints; nothing when it fails, or is not there. */
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

/** In a hook, git is told by variables which repository it works on: not on the one that its folder is in. */
export function ofNoRepository(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^GIT_(DIR|WORK_TREE|INDEX_FILE)$/.test(name)),
  );
}
