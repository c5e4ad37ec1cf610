import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FileErrorCode, FileSystem } from '../../contracts/node/index.ts';
import { createMachineFiles } from './index.ts';

const paths = ['/a', '/b', '/a/x', '/a/y', '/b/x', '/a/x/z', '/b/x/z'] as const;
const path = fc.constantFrom(...paths);

type Op =
  | { readonly do: 'mkdirAll' | 'removeAll' | 'unmount' | 'tmpfs'; readonly at: string }
  | { readonly do: 'write'; readonly at: string; readonly text: string }
  | { readonly do: 'rename' | 'bind'; readonly at: string; readonly to: string };

const ops: fc.Arbitrary<Op> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('mkdirAll' as const), at: path }) },
  fc.record({ do: fc.constantFrom('removeAll' as const, 'unmount' as const, 'tmpfs' as const), at: path }),
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      at: path,
      text: fc.constantFrom('1', '22', '333'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('rename' as const, 'bind' as const), at: path, to: path }),
  },
);

/** A place on one of the disks, such as `1:/x`. */
type Location = string;

interface ModelMount {
  readonly target: string;
  /** The visible root, and the covered place. */
  readonly root: Location;
  readonly covered: Location;
  readonly parent: ModelMount | undefined;
}

class Refused extends Error {
  readonly code: FileErrorCode;

  constructor(code: FileErrorCode) {
    super(code);
    this.code = code;
  }
}

/** Thrown for steps that the model does not cover. The test skips them. */
class Unsaid extends Error {}

/** A reference model: files as a flat map of locations, and mounts as path prefixes, the last one first. */
class Model {
  /** Content of files; null for directories. */
  readonly #places = new Map<Location, string | null>([['0:', null]]);
  #mounts: readonly ModelMount[] = [];
  #disks = 1;

  /** Returns what a path shows: content, names, or undefined. */
  look(at: string): string | readonly string[] | undefined {
    const location = this.#locate(at).location;
    const found = this.#isReachable(at) ? this.#places.get(location) : undefined;
    if (found !== null) return found;
    const names = [...this.#places.keys()].flatMap((each) => {
      const name = each.startsWith(`${location}/`) ? each.slice(location.length + 1) : '';
      return name === '' || name.includes('/') ? [] : [name];
    });
    return names.sort();
  }

  apply(op: Op): void {
    switch (op.do) {
      case 'mkdirAll':
        for (const each of [...ancestorsOf(op.at), op.at]) {
          const { location } = this.#locate(each);
          if (typeof this.#places.get(location) === 'string') throw new Refused('ENOTDIR');
          this.#places.set(location, null);
        }
        return;
      case 'write': {
        const location = this.#parented(op.at);
        if (this.#places.get(location) === null) throw new Refused('EISDIR');
        this.#places.set(location, op.text);
        return;
      }
      case 'removeAll': {
        if (ancestorsOf(op.at).some((each) => typeof this.look(each) === 'string'))
          throw new Refused('ENOTDIR');
        const location = this.#locate(op.at).location;
        if (!this.#isReachable(op.at) || !this.#places.has(location)) return;
        this.#mustBeFree(op.at);
        for (const each of this.#places.keys()) if (isAtOrBelow(each, location)) this.#places.delete(each);
        return;
      }
      case 'rename':
        this.#rename(op.at, op.to);
        return;
      case 'tmpfs':
        this.#mount(op.at, () => {
          const root = `${this.#disks++}:`;
          this.#places.set(root, null);
          return root;
        });
        return;
      case 'bind':
        this.#mount(op.to, () => this.#existing(op.at));
        return;
      case 'unmount': {
        if (ancestorsOf(op.at).some((each) => typeof this.look(each) === 'string'))
          throw new Refused('ENOTDIR');
        const { mount } = this.#locate(op.at);
        if (!mount || mount.target !== op.at || !this.#isReachable(op.at)) return;
        if (this.#mounts.some(({ parent }) => parent === mount)) throw new Refused('EBUSY');
        this.#mounts = this.#mounts.filter((each) => each !== mount);
      }
    }
  }

  #rename(from: string, to: string): void {
    const [old, next] = [this.#parented(from), this.#parented(to)];
    const text = this.#places.get(old);
    if (text === undefined) throw new Refused('ENOENT');
    // Example tests cover moves of directories.
    if (text === null) throw new Unsaid();
    if (this.#locate(parentOf(from)).mount !== this.#locate(parentOf(to)).mount) throw new Refused('EXDEV');
    if (this.#places.get(next) === null) {
      this.#mustBeFree(to);
      throw new Refused('EEXIST');
    }
    this.#places.delete(old);
    this.#places.set(next, text);
  }

  #mount(target: string, rootOf: () => Location): void {
    const covered = this.#existing(target);
    const root = rootOf();
    const [isDirectory, coversDirectory] = [root, covered].map((each) => this.#places.get(each) === null);
    if (isDirectory !== coversDirectory) throw new Refused('ENOTDIR');
    // Example tests cover mounts of files over files.
    if (!isDirectory) throw new Unsaid();
    this.#mounts = [...this.#mounts, { target, root, covered, parent: this.#locate(target).mount }];
  }

  /** Throws if a mount exists there or below, in the same mount. */
  #mustBeFree(at: string): void {
    const { location, mount } = this.#locate(at);
    const isBusy = ({ parent, target }: ModelMount) => parent === mount && isAtOrBelow(target, at);
    if (mount?.target === at || this.#mounts.some(isBusy)) throw new Refused('EBUSY');
    const isUsed = ({ root, covered }: ModelMount) =>
      isAtOrBelow(root, location) || isAtOrBelow(covered, location);
    if (this.#mounts.some(isUsed)) throw new Unsaid();
  }

  #existing(at: string): Location {
    const location = this.#parented(at);
    if (!this.#places.has(location)) throw new Refused('ENOENT');
    return location;
  }

  /** Returns the location, if its parent is a directory. */
  #parented(at: string): Location {
    for (const each of ancestorsOf(at)) {
      const found = this.look(each);
      if (found === undefined) throw new Refused('ENOENT');
      if (typeof found === 'string') throw new Refused('ENOTDIR');
    }
    return this.#locate(at).location;
  }

  #isReachable(at: string): boolean {
    return ancestorsOf(at).every((each) => this.#places.get(this.#locate(each).location) === null);
  }

  #locate(at: string): { readonly location: Location; readonly mount: ModelMount | undefined } {
    const mount = this.#mounts.findLast(({ target }) => isAtOrBelow(at, target));
    return { location: mount ? mount.root + at.slice(mount.target.length) : `0:${at}`, mount };
  }
}

const isAtOrBelow = (at: string, top: string) => at === top || at.startsWith(`${top}/`);
const parentOf = (at: string) => at.slice(0, at.lastIndexOf('/'));
const ancestorsOf = (at: string): readonly string[] => {
  const parent = parentOf(at);
  return parent === '' ? [] : [...ancestorsOf(parent), parent];
};

function apply(files: FileSystem, op: Op): Promise<void> {
  switch (op.do) {
    case 'write':
      return files.writeFile(op.at, op.text);
    case 'rename':
      return files.rename(op.at, op.to);
    case 'bind':
      return files.mount(op.at, op.to, { type: 'bind' });
    case 'tmpfs':
      return files.mount('tmpfs', op.at, { type: 'tmpfs' });
    default:
      return files[op.do](op.at);
  }
}

test('Files behave like a flat map in which the last mount wins, under any operations', () =>
  fc.assert(
    fc.asyncProperty(fc.array(ops, { maxLength: 30 }), async (steps) => {
      const files = createMachineFiles();
      const model = new Model();
      for (const op of steps) {
        let expected: string;
        try {
          model.apply(op);
          expected = 'ok';
        } catch (error) {
          if (error instanceof Unsaid) continue;
          expected = (error as Refused).code;
        }
        const found = await apply(files, op).then(
          () => 'ok',
          (error: { code?: string }) => error.code ?? String(error),
        );
        expect([op, found]).toEqual([op, expected]);
        for (const at of paths) {
          const info = await files.stat(at).catch(() => undefined);
          const seen = info && (info.type === 'file' ? await files.readFile(at) : await files.readdir(at));
          expect([at, seen]).toEqual([at, model.look(at)]);
        }
      }
    }),
  ));
