import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { plain } from './colours.ts';
import { exitCodeOf } from './failure.ts';
import { ofNoRepository } from './git.ts';
import { runKata } from './kata-commands.ts';
import { Screen } from './screen.fixture.ts';

/** The files of a committed workbook, by path. Writing them again is faster than three runs of git. */
let committed: ReadonlyMap<string, Uint8Array> | undefined;

/** A workbook of one kata in a temporary folder. */
export class SmallWorkbook implements Disposable {
  readonly root: string = mkdtempSync(path.join(tmpdir(), 'katas-'));

  constructor() {
    if (committed === undefined) {
      this.#begin();
      committed = this.#files();
    } else {
      for (const [file, bytes] of committed) this.write(file, bytes);
    }
  }

  #begin(): void {
    this.write('katas/21-counter/README.md', README);
    this.write('katas/21-counter/HINTS.md', HINTS);
    this.write(STUB, ORIGINAL);
    this.write('katas/21-counter/counter.test.ts', TESTS);
    this.write('katas/21-counter/counter.properties.test.ts', '');
    this.#git('init', '--quiet', '--template=');
    this.commit();
  }

  #files(): ReadonlyMap<string, Uint8Array> {
    const entries = readdirSync(this.root, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => path.join(parentPath, name));
    return new Map(files.map((file) => [path.relative(this.root, file), readFileSync(file)]));
  }

  write(file: string, text: string | Uint8Array): void {
    mkdirSync(path.dirname(path.join(this.root, file)), { recursive: true });
    writeFileSync(path.join(this.root, file), text);
  }

  /** Writes a file and sets the time of its last save, in ms since 1970. */
  saved(file: string, text: string, ms: number): void {
    this.write(file, text);
    utimesSync(path.join(this.root, file), ms / 1_000, ms / 1_000);
  }

  read(file: string): string {
    return readFileSync(path.join(this.root, file), 'utf8');
  }

  remove(file: string): void {
    rmSync(path.join(this.root, file), { recursive: true });
  }

  commit(): void {
    const author = ['-c', 'user.name=A learner', '-c', 'user.email=learner@example.com'];
    this.#git('add', '--all');
    this.#git(...author, '-c', 'commit.gpgsign=false', 'commit', '--quiet', '--message', 'Work');
  }

  /** Returns the text of an object in git's store. */
  show(object: string): string {
    return this.#git('cat-file', '-p', object);
  }

  /** Types `npm run kata -- …`. */
  async kata(
    ...words: readonly string[]
  ): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
    const screen = new Screen();
    const workbook = { root: this.root, terminal: screen, paint: plain };
    const code = await exitCodeOf(async () => runKata(words, workbook), screen);
    return { code, out: screen.out.join('\n'), err: screen.err.join('\n') };
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  #git(...args: readonly string[]): string {
    return execFileSync('git', args, {
      cwd: this.root,
      encoding: 'utf8',
      env: ofNoRepository(process.env),
    });
  }
}

/** The file that the learner edits. */
export const STUB = 'katas/21-counter/counter.ts';

/** The original stub of kata 21-counter. */
export const ORIGINAL = `import { todo } from '#harness';

/** Counts. */
export class Counter {
  add(_n: number): void {
    todo('21-counter', 'Counter.add', 'Level 1');
  }

  sum(): number {
    return todo('21-counter', 'Counter.sum', 'Level 2');
  }

  drain(): number {
    return todo('21-counter', 'Counter.drain', 'Level 2');
  }
}
`;

/** The stub with one function written. */
export const HALF = ORIGINAL.replace("todo('21-counter', 'Counter.add', 'Level 1');", 'this.n += 1; // mine');

/** The stub with all functions written. */
export const WHOLE = HALF.replace(/return todo\([^)]*\);/g, 'return this.n; // mine');

const TESTS = `
describe('Level 1 · Add', () => {});
describe("Level 2 · The sum of it's parts", () => {});
describe('Level 3 · Patience', () => {});
describe('Not a level', () => {});
`;

const README = `# 21 · Counter
`;

const HINTS = `# Hints · 21 · Counter

## Level 1

### 1 · A question

What is *one* more?

### 2 · A direction

Up.

## Level 2

### 1 · A question

How many?

## Exact

Is it ever one too many?

See Level 1, Level 2.
`;
