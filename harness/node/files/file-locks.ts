import type { FileNode } from './disk.ts';

/** A lock that one holds, or waits for. */
interface Claim {
  readonly owner: object;
  /** Called when its turn has come. */
  readonly grant: () => void;
}

/**
 * The advisory locks on the files of a disk, as `flock` has them: exclusive, on a file and not on its name, and given up when its
 * owner ends. Those that wait get it in the order in which they came.
 */
export class FileLocks {
  /** The first of each has the lock. */
  #claims = new Map<FileNode, Claim[]>();

  /** Resolves when `owner` has the lock. @returns what gives it up; to do that twice does no harm */
  lock(file: FileNode, owner: object): Promise<() => Promise<void>> {
    return new Promise((resolve) => {
      const claim: Claim = { owner, grant: () => resolve(async () => this.#end(file, claim)) };
      const claims = this.#claims.get(file) ?? [];
      this.#claims.set(file, claims);
      claims.push(claim);
      if (claims[0] === claim) claim.grant();
    });
  }

  /** Gives up what `owner` has, and what it waits for. */
  release(owner: object): void {
    for (const [file, claims] of [...this.#claims]) {
      for (const claim of [...claims]) if (claim.owner === owner) this.#end(file, claim);
    }
  }

  /** Nothing is locked any more, and what waits does so for ever. */
  clear(): void {
    this.#claims = new Map();
  }

  #end(file: FileNode, claim: Claim): void {
    const claims = this.#claims.get(file) ?? [];
    const at = claims.indexOf(claim);
    if (at < 0) return;
    claims.splice(at, 1);
    if (claims.length === 0) this.#claims.delete(file);
    else if (at === 0) claims[0]?.grant();
  }
}
